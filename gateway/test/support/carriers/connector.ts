/**
 * A connector that responds as scripted by the test and records submissions. It responds in the next turn of the
 * event loop unless the script takes longer.
 */
import type { Connector, Submission, SubmitOutcome } from '../../../src/carriers/connectors/connector.ts'

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
  /** Time of each submission by `performance.now()`. */
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
    // Linked from the start; the test controls the link.
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
