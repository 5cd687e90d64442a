/**
 * Counts test results from the events of node's test runner. Only tests without subtests count: not suites,
 * and not the tests that represent a file in a shared process.
 */
import { relative, resolve } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { projectRoot } from '../engines/paths.ts'

type EventOf<Type> = Extract<TestEvent, { type: Type }>['data'] & {
  /** The file that the runner started; undefined in the result of its process. */
  readonly entryFile?: string
}
type ResultData = EventOf<'test:pass' | 'test:fail'>

interface TestError extends Error {
  readonly failureType?: string
  readonly exitCode?: number | null
  readonly signal?: string | null
}

interface TestFailure {
  readonly kind: 'failed' | 'timed out' | 'cancelled'
  readonly text: string
}

class FileResults {
  passed = 0
  skipped = 0
  readonly failures: TestFailure[] = []

  get timedOut(): boolean {
    return (
      this.failures.some(({ kind }) => kind === 'timed out') &&
      this.failures.every(({ kind }) => kind !== 'failed')
    )
  }
}

export class TestResults {
  readonly #files = new Map<string, FileResults>()
  readonly #tests = new Map<string, { readonly title: string; readonly parent: string }>()
  readonly #parents = new Set<string>()
  readonly #finishedFiles = new Set<string>()

  get passed(): number {
    return this.#sum(({ passed }) => passed)
  }

  get failed(): number {
    return this.#sum(({ failures }) => failures.length)
  }

  get skipped(): number {
    return this.#sum(({ skipped }) => skipped)
  }

  get failedFiles(): readonly string[] {
    return [...this.#files].filter(([, { failures }]) => failures.length > 0).map(([file]) => file)
  }

  /** Returns files that failed only by timeouts and by the cancellations that these caused. */
  get timedOutFiles(): readonly string[] {
    return this.failedFiles.filter((file) => this.#files.get(file)!.timedOut)
  }

  /** Returns one line per failure. */
  describeFailures(): readonly string[] {
    return [...this.#files.values()].flatMap(({ failures }) =>
      failures.map(({ kind, text }) => `${kind}: ${text}`),
    )
  }

  /** Drops the results of a file before its second run. */
  forget(file: string): void {
    this.#files.delete(file)
  }

  /**
   * Adds a failure for each process that ended without a summary, and for each test file without a result.
   */
  endBatch(processFiles: readonly string[], testFiles: readonly string[]): void {
    const toRelative = (path: string): string => relative(projectRoot, resolve(projectRoot, path))
    for (const file of processFiles.map(toRelative))
      if (!this.#finishedFiles.delete(file)) this.#fail(file, 'its process ended early')
    for (const file of testFiles.map(toRelative).filter((path) => path.endsWith('.test.ts'))) {
      const { passed, skipped, failures } = this.#getResults(file)
      if (passed + skipped + failures.length === 0) this.#fail(file, 'it ran no test')
    }
  }

  #fail(file: string, reason: string): void {
    this.#getResults(file).failures.push({ kind: 'failed', text: `${file}: ${reason}` })
  }

  add(event: TestEvent): void {
    if (event.type === 'test:summary' && event.data.file !== undefined)
      this.#finishedFiles.add(relative(projectRoot, event.data.file))
    if (event.type === 'test:start') this.#addStart(event.data)
    if (event.type === 'test:pass') this.#addResult(event.data)
    if (event.type === 'test:fail') this.#addResult(event.data, event.data.details.error)
    // An error after the end of its test fails no test itself.
    if (
      event.type === 'test:diagnostic' &&
      event.data.message.includes('asynchronous activity after the test ended')
    )
      this.#fail(
        relative(projectRoot, event.data.file ?? ''),
        event.data.message.replace(/\s+/g, ' ').slice(0, 200),
      )
  }

  #addStart({ entryFile, testId, parentId, name }: EventOf<'test:start'>): void {
    if (entryFile === undefined) return
    const parent = `${entryFile} ${parentId}`
    this.#tests.set(`${entryFile} ${testId}`, { title: name, parent })
    this.#parents.add(parent)
  }

  #addResult(data: ResultData, error?: TestError): void {
    const key = `${data.entryFile} ${data.testId}`
    const titles = this.#findTitles(data, key)
    const results = this.#getResults(titles[0]!)
    if (data.entryFile === undefined) this.#finishedFiles.add(titles[0]!)
    const isTest = titles.length > 1 && data.details.type === 'test' && !this.#parents.has(key)
    const isSkipped = data.skip !== undefined || data.todo !== undefined
    if (error === undefined && isSkipped) results.skipped += isTest ? 1 : 0
    else if (error === undefined) results.passed += isTest ? 1 : 0
    else if (error.failureType !== 'subtestsFailed') results.failures.push(toFailure(titles, error))
  }

  /** Returns the path of the file and the titles below it. */
  #findTitles({ entryFile, file }: ResultData, key: string): readonly string[] {
    const titles: string[] = []
    for (let test = this.#tests.get(key); test !== undefined; test = this.#tests.get(test.parent))
      titles.unshift(test.title)
    const isSharedProcess = titles[0]?.endsWith('.test.ts')
    return isSharedProcess ? titles : [relative(projectRoot, entryFile ?? file!), ...titles]
  }

  #getResults(file: string): FileResults {
    const results = this.#files.get(file) ?? new FileResults()
    this.#files.set(file, results)
    return results
  }

  #sum(count: (results: FileResults) => number): number {
    return [...this.#files.values()].reduce((sum, results) => sum + count(results), 0)
  }
}

function toFailure(titles: readonly string[], error: TestError): TestFailure {
  const { failureType, exitCode, signal, message } = error
  const cause = error.cause as { readonly name?: string } | undefined
  // Browser tests wait with Playwright. Elsewhere a TimeoutError comes from the product, such as from its
  // client, and is a failure.
  const waitError = titles[0]!.startsWith('console/') ? 'TimeoutError' : 'WaitTimeoutError'
  const isTimeout = failureType === 'testTimeoutFailure' || cause?.name === waitError
  const reason = signal ?? (exitCode === undefined ? message.replace(/\s+/g, ' ') : `exit code ${exitCode}`)
  return {
    kind: isTimeout ? 'timed out' : failureType === 'cancelledByParent' ? 'cancelled' : 'failed',
    text: `${titles.join(' > ')}: ${reason.slice(0, 200)}`,
  }
}
