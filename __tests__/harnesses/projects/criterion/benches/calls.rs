//! Each call leaves a mark in the file `calls`.
use criterion::{criterion_group, criterion_main, Criterion};
use std::fs::OpenOptions;
use std::io::Write;

fn mark() {
    let mut calls = OpenOptions::new().create(true).append(true).open("calls").unwrap();
    calls.write_all(b"x").unwrap();
}

fn calls(c: &mut Criterion) {
    c.bench_function("one", |b| b.iter(mark));
    c.bench_function("one more 'of' them", |b| b.iter(mark));
    let mut group = c.benchmark_group("group");
    group.bench_function("big/8", |b| b.iter(mark));
    group.finish();
}

criterion_group!(benches, calls);
criterion_main!(benches);
