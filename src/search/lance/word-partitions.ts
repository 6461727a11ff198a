/** Word partitions, so that a query reads few dictionaries (bench/word-partitions.ts). */
const PARTITIONS = 8

/**
 * Bytes of words per row in a build (bench/word-partitions.ts: a million passages of 1 KB are
 * 142 partitions of 128 MiB).
 */
const ROW_BYTES = 18 * 1024

/** Minimum partition: at 32 MiB a query took four times the CPU (bench/word-partitions.ts). */
const MIN_BYTES = 128 * 2 ** 20

/**
 * Memory of a build besides the words, and per byte of them: 467, 568 and 881 MiB for
 * partitions of 128, 256 and 512 (bench/word-partitions.ts).
 */
const PROCESS_BYTES = 330 * 2 ** 20
const BYTES_OF_WORDS = 1.1

/** Returns bytes of words per partition that fit. LanceDB merges smaller ones later. */
export function choosePartitionBytes(rows: number, memoryBytes: number): number {
  const maxBytes = Math.max(MIN_BYTES, (memoryBytes - PROCESS_BYTES) / BYTES_OF_WORDS)
  return Math.floor(Math.min(maxBytes, Math.max(MIN_BYTES, (rows * ROW_BYTES) / PARTITIONS)))
}

/**
 * Memory to add to a word index, fixed and per row (bench/upkeep-memory.ts: 593 MiB for 50,000
 * rows, 900 for twice as many).
 */
const ADDING_BYTES = 300 * 2 ** 20
const ADDING_ROW_BYTES = 6 * 1024

/** Estimates memory to add words or merge files: LanceDB reads all partitions at once (0.37.1). */
export function estimateAddingBytes(rows: number): number {
  return ADDING_BYTES + rows * ADDING_ROW_BYTES
}
