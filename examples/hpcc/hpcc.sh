#!/bin/sh
# Linpack, STREAM, RandomAccess and the rest of the HPC Challenge with matrices of $ORDER rows; then its results.
# PROCESSES: how many share the work (1). PROCESSORS: those that they may use, as taskset takes them (all).
set -eu
scratch=/tmp/joulediff-hpcc
rm -rf $scratch
mkdir $scratch
processes=${PROCESSES:-1}
# The most nearly square grid of processes.
rows=$(awk -v n="$processes" 'BEGIN { for (p = 1; p * p <= n; p++) if (n % p == 0) rows = p; print rows }')
sed "s/ORDER/$ORDER/; s/ROWS/$rows/; s/COLUMNS/$((processes / rows))/" "${HERE:-.}/hpccinf.txt" > $scratch/hpccinf.txt
cd $scratch
set -- hpcc
if [ "$processes" = 1 ]; then
  # Open MPI starts no daemon for a single process, and looks for no other machine.
  export OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_btl=self OMPI_MCA_pml=ob1
else
  # On this machine alone, wherever the kernel lets each of them run.
  export OMPI_MCA_plm=isolated OMPI_MCA_btl=self,vader OMPI_MCA_pml=ob1 OMPI_MCA_hwloc_base_binding_policy=none
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  set -- mpirun -np "$processes" "$@"
fi
[ -z "${PROCESSORS:-}" ] || set -- taskset -c "$PROCESSORS" "$@"
"$@"
cat hpccoutf.txt
cd /
rm -rf $scratch
