/**
 * A question goes through every partition of a word index, and each has a dictionary in memory: so they grow with the table,
 * to be about so many.
 */
const PARTITIONS = 8

/** Of a row's words while a partition is built: a million passages of 1 KB are 142 partitions of 128 MiB. */
const ROW_BYTES = 18 * 1024

/** 124,110 chunks of 1 KB are 16 of them; at 32 MiB, with 105 partitions, a question took four times the CPU. */
const LEAST_BYTES = 128 * 2 ** 20

/** What building takes beside the words, and for each byte of them: 467, 568 and 881 MiB with partitions of 128, 256 and 512. */
const PROCESS_BYTES = 330 * 2 ** 20
const BYTES_OF_WORDS = 1.1

/**
 * Bytes of words in a partition of a table of so many rows, where building it may take so much memory. Smaller ones that there
 * are LanceDB puts together when it adds the next.
 */
export function choosePartitionBytes(rows: number, memoryBytes: number): number {
  const most = Math.max(LEAST_BYTES, (memoryBytes - PROCESS_BYTES) / BYTES_OF_WORDS)
  return Math.floor(Math.min(most, Math.max(LEAST_BYTES, (rows * ROW_BYTES) / PARTITIONS)))
}

/** What adding to a word index takes beside its rows, and for each of them: 593 MiB for 50,000, with twice as many some 900. */
const ADDING_BYTES = 300 * 2 ** 20
const ADDING_ROW_BYTES = 6 * 1024

/**
 * About what it takes to add to the word index of a table of so many rows, or to put the table's files together: LanceDB reads all
 * partitions at once for either, and has no setting that bounds it (0.37.1). To build the index anew instead would bound the first
 * only. Measured by bench/upkeep-memory.ts.
 */
export function addingBytes(rows: number): number {
  return ADDING_BYTES + rows * ADDING_ROW_BYTES
}
