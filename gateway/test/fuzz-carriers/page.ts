/** The result of `npm run fuzz:carriers`, for the terminal and for docs/fuzz.md. Pure, but for the name of the machine. */
import type { FuzzProgress } from '../support/fuzz.ts'
import { describeMeasurement } from '../support/measurement.ts'

export interface FuzzedFile {
  /** The test file, from the root of the project. */
  readonly file: string
  /** The last progress of each parser. */
  readonly parsers: readonly FuzzProgress[]
  /** Empty when the file passed. */
  readonly finding: string
}

export interface FuzzRun {
  /** Repeats it. */
  readonly command: string
  readonly heapMb: number
  readonly files: readonly FuzzedFile[]
}

export function lineOf({ parser, inputs, cpuMs, peakKb }: FuzzProgress): string {
  return `${parser}: ${thousands(inputs)} inputs, ${seconds(cpuMs)} s of CPU, at most ${megabytes(peakKb)} MB`
}

/** The section of the page between its marks. */
export function fuzzSection({ command, heapMb, files }: FuzzRun): string {
  const failed = files.filter(({ finding }) => finding !== '').map(({ file }) => `\`${file}\``)
  const parsers = files.flatMap((file) => file.parsers.map((parser) => ({ parser, file })))
  const total = parsers.reduce((sum, { parser }) => sum + parser.inputs, 0)
  return `\`${command}\`: ${thousands(total)} inputs, with a heap of ${heapMb} MB for
each connector. ${failed.length === 0 ? 'Nothing was found.' : `**The tests of ${failed.join(', ')} failed.**`}

| Parser | Inputs | CPU | µs an input | Peak memory of the process | Findings |
|---|--:|--:|--:|--:|--:|
${parsers.map(({ parser, file }) => rowOf(parser, file.finding)).join('\n')}

${describeMeasurement()}`
}

function rowOf({ parser, inputs, cpuMs, peakKb }: FuzzProgress, finding: string): string {
  const each = inputs === 0 ? 0 : (cpuMs * 1_000) / inputs
  return `| ${parser} | ${thousands(inputs)} | ${seconds(cpuMs)} s | ${each.toFixed(1)} | ${megabytes(peakKb)} MB | ${finding === '' ? 0 : 'failed'} |`
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
