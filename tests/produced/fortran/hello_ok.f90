! STDOUT: sum          55
program hello
  implicit none
  integer, allocatable :: values(:)
  integer :: at
  allocate(values(10))
  do at = 1, size(values)
    values(at) = at
  end do
  print '(a, i12)', 'sum', sum(values)
  deallocate(values)
end program
