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
  readonly asked: number
  readonly seed: number
  readonly heapMb: number
  readonly files: readonly FuzzedFile[]
}

export function lineOf({ parser, inputs, cpuMs, peakKb }: FuzzProgress): string {
  return `${parser}: ${thousands(inputs)} inputs, ${seconds(cpuMs)} s of CPU, at most ${megabytes(peakKb)} MB`
}

export function fuzzPage({ asked, seed, heapMb, files }: FuzzRun): string {
  const findings = files.filter(({ finding }) => finding !== '')
  const parsers = files.flatMap((file) => file.parsers.map((parser) => ({ parser, file })))
  const total = parsers.reduce((sum, { parser }) => sum + parser.inputs, 0)
  return `# Malformed input from carriers

\`npm run fuzz:carriers -- --runs ${asked} --seed ${seed} --write\`: every parser of what a carrier sends, with ${thousands(asked)} random or mutated
inputs each, ${thousands(total)} in all. An input starts as one that the carrier documents; octets, values and structure are changed, or it
is random. Each must end in an outcome, in receipts within bounds or in a refusal. A finding is an exception, a result that is out of
bounds or contradicts itself, an input that takes more than 500 ms of CPU, or a process that needs more than ${heapMb} MB of heap.

${findings.length === 0 ? 'Nothing was found.' : `**${findings.length} test files failed: ${findings.map(({ file }) => `\`${file}\``).join(', ')}.**`}

| Parser | Inputs | CPU | µs an input | Peak memory of the process | Findings |
|---|--:|--:|--:|--:|--:|
${parsers.map(({ parser, file }) => rowOf(parser, file.finding)).join('\n')}

CPU includes the making of the input and the checks. The parsers of a connector share a process, so the memory of a later one includes
that of the earlier ones. \`npm test\` tries some thousand inputs of each parser with another seed in each run. The test is
\`gateway/src/connectors/<kind>/fuzz.test.ts\`.

${describeMeasurement()}
`
}

function rowOf({ parser, inputs, cpuMs, peakKb }: FuzzProgress, finding: string): string {
  const each = inputs === 0 ? 0 : (cpuMs * 1_000) / inputs
  return `| ${parser} | ${thousands(inputs)} | ${seconds(cpuMs)} s | ${each.toFixed(1)} | ${megabytes(peakKb)} MB | ${finding === '' ? 0 : 'see above'} |`
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
