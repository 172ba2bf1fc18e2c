#!/bin/sh
# Linpack, STREAM, RandomAccess and the rest of the HPC Challenge on one process, with matrices of $ORDER rows; then its results.
set -eu
scratch=/tmp/joulediff-hpcc
rm -rf $scratch
mkdir $scratch
sed "s/ORDER/$ORDER/" "${HERE:-.}/hpccinf.txt" > $scratch/hpccinf.txt
cd $scratch
# Open MPI starts no daemon for a single process, and looks for no other machine.
export OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_btl=self OMPI_MCA_pml=ob1
hpcc
cat hpccoutf.txt
cd /
rm -rf $scratch
