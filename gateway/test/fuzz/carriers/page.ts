/** Formats the result of `npm run suite -- fuzz:carriers` for the terminal and docs/evidence/fuzz.md. */
import type { FuzzProgress } from '../../support/fuzz.ts'
import { describeMeasurement } from '../../support/measure/measurement.ts'

export interface FuzzedFile {
  /** Path of the test file from the root of the project. */
  readonly file: string
  /** The last progress of each parser. */
  readonly parsers: readonly FuzzProgress[]
  /** Empty if the file passed. */
  readonly finding: string
}

export interface FuzzRun {
  /** Command that repeats the run. */
  readonly command: string
  readonly heapMb: number
  readonly files: readonly FuzzedFile[]
}

export function formatProgress({ parser, inputs, cpuMs, peakKb }: FuzzProgress): string {
  return `${parser}: ${thousands(inputs)} inputs, ${seconds(cpuMs)} s of CPU, at most ${megabytes(peakKb)} MB`
}

/** Returns the section of the page between its markers. */
export function fuzzSection({ command, heapMb, files }: FuzzRun): string {
  const failed = files.filter(({ finding }) => finding !== '').map(({ file }) => `\`${file}\``)
  const parsers = files.flatMap((file) => file.parsers)
  const total = parsers.reduce((sum, { inputs }) => sum + inputs, 0)
  return `\`${command}\`: ${thousands(total)} inputs, as many for each parser, with a heap of ${heapMb} MB for
each connector. ${failed.length === 0 ? 'Nothing was found.' : `**The tests of ${failed.join(', ')} failed.**`}

${parsers.map(({ parser }) => `- ${parser}`).join('\n')}

At most ${Math.max(0, ...parsers.map(microsPerInput)).toFixed(0)} µs of CPU per input and ${megabytes(Math.max(0, ...parsers.map(({ peakKb }) => peakKb)))} MB of memory.

${describeMeasurement()}`
}

function microsPerInput({ inputs, cpuMs }: FuzzProgress): number {
  return inputs === 0 ? 0 : (cpuMs * 1_000) / inputs
}

function thousands(count: number): string {
  return count.toLocaleString('en-US')
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1)
}

function megabytes(kb: number): string {
  return (kb / 1_024).toFixed(0)
}
