! An element behind the last of an allocatable array.
program heap_bug
  implicit none
  integer, allocatable :: values(:)
  integer :: at, n
  n = 10
  allocate(values(n))
  do at = 1, n + 1
    values(at) = at ! EXPECT: heap-buffer-overflow
  end do
  print *, sum(values)
  deallocate(values)
end program
