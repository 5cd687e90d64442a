/**
 * A connector that answers as the test's script says and keeps what was submitted. It answers in the next turn of the
 * event loop unless the script takes longer.
 */
import type { Connector, Submission, SubmitOutcome } from '../../src/connectors/connector.ts'

export type Script = (submission: Submission, nth: number) => SubmitOutcome | Promise<SubmitOutcome>

export const outcomes = {
  accepted: (carrierId: string): SubmitOutcome => ({ kind: 'accepted', carrierId }),
  throttled: (retryAfterMs: number): SubmitOutcome => ({ kind: 'throttled', code: '00000058', retryAfterMs }),
  refused: (): SubmitOutcome => ({
    kind: 'refused',
    cause: 'bad-number',
    code: '0000000b',
    text: 'invalid destination address',
  }),
  unreachable: (): SubmitOutcome => ({ kind: 'unreachable', code: 'closed', text: 'the link is down' }),
  unknown: (): SubmitOutcome => ({ kind: 'unknown', code: 'timeout', text: 'no answer came' }),
}

export class ScriptedConnector implements Connector {
  readonly window: number
  readonly repeatable: boolean
  readonly linked = true
  readonly submissions: Submission[] = []
  /** When each submission came, on the clock of `performance.now()`. */
  readonly times: number[] = []
  maxOpen = 0
  #open = 0
  readonly #script: Script

  constructor(script: Script, window = 10, repeatable = false) {
    this.repeatable = repeatable
    this.#script = script
    this.window = window
  }

  get references(): string[] {
    return this.submissions.map((submission) => submission.reference)
  }

  start(): void {
    // Linked from the beginning; the test owns the Link.
  }

  async submit(submission: Submission): Promise<SubmitOutcome> {
    this.submissions.push(submission)
    this.times.push(performance.now())
    this.maxOpen = Math.max(this.maxOpen, ++this.#open)
    try {
      await new Promise((resolve) => setImmediate(resolve))
      return await this.#script(submission, this.submissions.length)
    } finally {
      this.#open--
    }
  }

  stop(): Promise<void> {
    return Promise.resolve()
  }
}
