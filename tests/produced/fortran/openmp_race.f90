! RUN: --cflag=-fopenmp
! A count that the threads of a parallel loop share, beside a reduction.
program openmp_race
  implicit none
  integer :: at, total, counted
  integer, allocatable :: values(:)
  allocate(values(100))
  values = 1
  total = 0
  counted = 0
  !$omp parallel do reduction(+:total)
  do at = 1, 100
    total = total + values(at)
    counted = counted + 1 ! EXPECT: data race
  end do
  !$omp end parallel do
  print *, total
  deallocate(values)
end program
