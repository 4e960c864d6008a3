! Two threads that add to variables of their own, and are joined.
! STDOUT: 20
module shared
  use iso_c_binding
  implicit none
  integer, target :: counters(2) = 0
  interface
    function pthread_create(thread, attributes, start, argument) bind(c) result(status)
      import :: c_long, c_ptr, c_funptr, c_int
      integer(c_long) :: thread
      type(c_ptr), value :: attributes, argument
      type(c_funptr), value :: start
      integer(c_int) :: status
    end function
    function pthread_join(thread, answer) bind(c) result(status)
      import :: c_long, c_ptr, c_int
      integer(c_long), value :: thread
      type(c_ptr), value :: answer
      integer(c_int) :: status
    end function
  end interface
contains
  function add(argument) bind(c) result(answer)
    type(c_ptr), value :: argument
    type(c_ptr) :: answer
    integer :: at
    integer, pointer :: counter
    call c_f_pointer(argument, counter)
    do at = 1, 10
      counter = counter + 1
    end do
    answer = argument
  end function
end module

program threads
  use shared
  implicit none
  integer(c_long) :: thread
  integer :: status
  type(c_ptr) :: answer
  status = pthread_create(thread, c_null_ptr, c_funloc(add), c_loc(counters(1)))
  answer = add(c_loc(counters(2)))
  status = pthread_join(thread, c_null_ptr)
  print '(i0)', sum(counters)
end program
