/**
 * Runs test files with node's test runner. If all failures are timeouts, in at most five files, those files
 * run once more, one at a time, because a busy machine may take longer than a test waits. Any other failure is final.
 */
import { writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { run } from 'node:test'
import { spec as SpecReporter, type TestEvent } from 'node:test/reporters'
import { projectRoot } from '../engines/paths.ts'
import type { TestProcesses } from './test-processes.ts'
import { TestResults } from './test-results.ts'

export interface TestBatch {
  readonly files: readonly string[]
  readonly concurrency: number
}

const testTimeoutMs = 120_000
const repeatTimeoutMs = 600_000
/** If more files than this time out, it is no coincidence, and none is repeated. */
const maxRepeatedFiles = 5

/**
 * Sets the exit code, and writes counts and failures to the file of POSTERN_TEST_RESULTS, if set. `contents` maps a
 * generated file that runs several test files in one process to those test files.
 */
export async function runTests(
  batches: readonly TestBatch[],
  contents: TestProcesses['contents'] = new Map(),
): Promise<void> {
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => interruption.abort(new Error(signal)))
  const results = new TestResults()
  const runFiles = async ({ files, concurrency }: TestBatch, timeout: number): Promise<void> => {
    const { signal } = interruption
    if (signal.aborted) return
    const events = run({ files: [...files], concurrency, timeout, signal, cwd: projectRoot })
    const observed = Readable.from(observe(events, results))
    await pipeline(observed, new SpecReporter(), process.stdout, { end: false })
    results.endBatch(
      files,
      files.flatMap((file) => contents.get(file) ?? [file]),
    )
  }

  for (const [index, batch] of batches.entries()) {
    await runFiles(batch, testTimeoutMs)
    process.stdout.write(`batch ${index + 1} of ${batches.length} ended\n`)
  }
  const timedOut = results.timedOutFiles
  let recovered: readonly string[] = []
  if (
    timedOut.length > 0 &&
    timedOut.length <= maxRepeatedFiles &&
    timedOut.length === results.failedFiles.length
  ) {
    for (const file of timedOut) results.forget(file)
    await runFiles({ files: timedOut, concurrency: 1 }, repeatTimeoutMs)
    recovered = timedOut.filter((file) => !results.failedFiles.includes(file))
  }

  const { passed, failed, skipped } = results
  const lines = [
    ...recovered.map((file) => `timed out once, passed when repeated: ${file}`),
    ...results.describeFailures(),
  ]
  process.stdout.write(
    [...lines, `tests: ${passed} passed, ${failed} failed, ${skipped} skipped`, ''].join('\n'),
  )
  const { POSTERN_TEST_RESULTS: file } = process.env
  if (file !== undefined) writeFileSync(file, [`${passed} ${failed} ${skipped}`, ...lines, ''].join('\n'))
  // A run without a test is a failure.
  process.exitCode = failed > 0 || passed === 0 || interruption.signal.aborted ? 1 : 0
}

/** Skips the totals of the runner, which count files as tests. */
async function* observe(events: AsyncIterable<TestEvent>, results: TestResults): AsyncGenerator<TestEvent> {
  for await (const event of events) {
    results.add(event)
    if (event.type !== 'test:diagnostic' || event.data.file !== undefined) yield event
  }
}
