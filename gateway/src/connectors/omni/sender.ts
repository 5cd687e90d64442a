/**
 * Sends submissions to the service, their files before them. A send is repeated only where the service has certainly
 * accepted nothing: after a token or a file that it refused. A submission that may have been accepted has the same body and
 * key every time, so that the service recognizes it. Used by `connector.ts`.
 */
import { LRUCache } from 'lru-cache'
import { clock } from '../../platform/clock.ts'
import type { ConnectorContext, Submission, SubmitOutcome } from '../connector.ts'
import { UpstreamFiles } from './files.ts'
import type { OmniOptions } from './options.ts'
import { readOutcome } from './outcome.ts'
import { toRequest, type SendRequest } from './request.ts'
import type { Upstream } from './upstream.ts'

/** Sends that dispatch may repeat. */
const maxSent = 10_000

/** A route has its next owner within seconds; a worker that stalls is noticed after some more. */
const maxTakeOverMs = 60_000
/** That many are tried: a minute of a long time limit, or ten seconds of a short one. */
const maxBodies = 10

/** What an answer says of the link, see `SendResult`. */
export interface SendProblem {
  readonly link: 'lost' | 'account' | 'channel'
  readonly code: string
  readonly path: string
}

/** A send and the key that makes its repeat harmless. */
interface Prepared extends SendRequest {
  readonly idempotencyKey: string
}

interface Sent {
  readonly prepared: Prepared
  /** No answer has said that the service did not accept it. */
  readonly mayBeAccepted: boolean
}

export class Sender {
  readonly #options: OmniOptions
  readonly #upstream: Upstream
  readonly #files: UpstreamFiles
  readonly #onProblem: (problem: SendProblem) => void
  readonly #sent = new LRUCache<string, Sent>({ max: maxSent })

  constructor(
    options: OmniOptions,
    upstream: Upstream,
    context: ConnectorContext,
    onProblem: (problem: SendProblem) => void,
  ) {
    this.#options = options
    this.#upstream = upstream
    this.#onProblem = onProblem
    this.#files = new UpstreamFiles(upstream, context, options.throttleRetryMs)
  }

  async submit(submission: Submission): Promise<SubmitOutcome> {
    const { reference, files } = submission
    const before = this.#sent.get(reference)
    // What may have been accepted must have the same body again. Otherwise its time limit is what is left of it now.
    const prepared =
      before?.mayBeAccepted === true ? before.prepared : await this.#prepare(submission, reference)
    if ('kind' in prepared) return prepared
    const outcome = await this.#send(prepared)
    if (isBodyOther(outcome)) {
      // A service may remember the body of a request that it did not accept, and take no other one.
      if (before !== undefined && before.prepared !== prepared)
        return this.#remember(reference, before.prepared, await this.#send(before.prepared))
      if (before === undefined) return await this.#sendAsBefore(submission, prepared, outcome)
    }
    if (outcome.kind !== 'refused' || outcome.code !== 'A217' || files.length === 0)
      return this.#remember(reference, prepared, outcome)
    // The service has removed a file before its time. It refused the message, so another send is not a second one.
    this.#files.forget(files)
    const again = await this.#prepare(submission, `${reference}-F`)
    if ('kind' in again) return again
    return this.#remember(reference, again, await this.#send(again))
  }

  /**
   * The key was used with another body: by the previous owner of the route, whose time limit was longer. The service answers
   * its body as it did then, and refuses every other one.
   */
  async #sendAsBefore(
    submission: Submission,
    prepared: Prepared,
    outcome: SubmitOutcome,
  ): Promise<SubmitOutcome> {
    const files = await this.#files.resolve(submission.files)
    if ('kind' in files) return outcome
    const nowMs = clock.timeBefore(submission.validUntil)
    const tried = new Set([prepared.body])
    for (let agoMs = 1_000; agoMs <= maxTakeOverMs && tried.size <= maxBodies; agoMs += 1_000) {
      const request = toRequest(submission, files, nowMs - agoMs, this.#options)
      if (tried.has(request.body)) continue
      tried.add(request.body)
      const again = await this.#send({ ...prepared, ...request })
      if (!isBodyOther(again)) return again
    }
    return outcome
  }

  async #prepare(submission: Submission, idempotencyKey: string): Promise<Prepared | SubmitOutcome> {
    const files = await this.#files.resolve(submission.files)
    if ('kind' in files) return files
    return {
      ...toRequest(submission, files, clock.timeBefore(submission.validUntil), this.#options),
      idempotencyKey,
    }
  }

  #remember(reference: string, prepared: Prepared, outcome: SubmitOutcome): SubmitOutcome {
    const { kind } = outcome
    if (this.#options.idempotency && kind !== 'accepted' && kind !== 'refused') {
      const mayBeAccepted = kind === 'unknown' || this.#sent.get(reference)?.mayBeAccepted === true
      this.#sent.set(reference, { prepared, mayBeAccepted })
    } else this.#sent.delete(reference)
    return outcome
  }

  async #send({ path, body, idempotencyKey }: Prepared): Promise<SubmitOutcome> {
    const headers = {
      'content-type': 'application/json',
      ...(this.#options.idempotency ? { 'idempotency-key': idempotencyKey } : {}),
    }
    const result = await this.#upstream.call({ method: 'POST', path, headers, body })
    const { outcome, link } = readOutcome(result, this.#options.throttleRetryMs)
    const code = outcome.kind === 'accepted' ? '' : outcome.code
    if (link === 'foreign' && !(await this.#upstream.isAccountAccepted())) {
      this.#onProblem({ link: 'account', code, path })
      return { kind: 'unreachable', code, text: 'the service refuses the account' }
    }
    if (link !== 'up' && link !== 'foreign') this.#onProblem({ link, code, path })
    return outcome
  }
}

function isBodyOther(outcome: SubmitOutcome): boolean {
  return outcome.kind === 'unknown' && outcome.code === 'A021'
}
