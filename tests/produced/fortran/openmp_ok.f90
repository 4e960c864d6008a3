! RUN: --cflag=-fopenmp
! A reduction, a critical section, and parts of an array that are written by one thread each.
! STDOUT: 5050 100 10100
program openmp
  implicit none
  integer :: at, total, counted
  integer, allocatable :: values(:), twice(:)
  allocate(values(100), twice(100))
  values = [(at, at = 1, 100)]
  total = 0
  counted = 0
  !$omp parallel do reduction(+:total)
  do at = 1, 100
    total = total + values(at)
    twice(at) = 2 * values(at)
    !$omp critical
    counted = counted + 1
    !$omp end critical
  end do
  !$omp end parallel do
  print '(i0, 1x, i0, 1x, i0)', total, counted, sum(twice)
  deallocate(values, twice)
end program
