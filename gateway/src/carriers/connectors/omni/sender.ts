/**
 * Sends submissions to the service, after their files. A send is repeated under another key only if the service has certainly
 * accepted nothing. Every other repetition has the same key, and that of a possibly accepted send the same body as well, so
 * that the service recognizes it.
 */
import { LRUCache } from 'lru-cache'
import { clock } from '../../../platform/time/clock.ts'
import type { ConnectorContext, Submission, SubmitOutcome } from '../connector.ts'
import { UpstreamFiles } from './files.ts'
import type { OmniOptions } from './options.ts'
import { parseOmniOutcome } from './outcome.ts'
import { toOmniRequest, type OmniSendRequest } from './request.ts'
import type { Upstream } from './upstream.ts'

/** Maximum number of sends to track for repeats by dispatch. */
const maxSent = 10_000

/** Maximum age of a body to reproduce: a route has its next owner within seconds, or later if a worker stalled. */
const maxTakeOverMs = 60_000
/** Maximum bodies to attempt: one minute of a long time limit, or ten seconds of a short one. */
const maxBodies = 10

/** Problem of the link, see `OmniSendResult`. */
export interface SendProblem {
  readonly link: 'lost' | 'account' | 'channel'
  readonly code: string
  readonly path: string
}

/** A send and the key that makes its repeat harmless. */
interface Prepared extends OmniSendRequest {
  readonly idempotencyKey: string
}

interface EarlierSend {
  readonly prepared: Prepared
  /** True unless the service certainly did not accept it. */
  readonly mayBeAccepted: boolean
}

export class OmniSender {
  readonly #options: OmniOptions
  readonly #upstream: Upstream
  readonly #files: UpstreamFiles
  readonly #onProblem: (problem: SendProblem) => void
  readonly #sent = new LRUCache<string, EarlierSend>({ max: maxSent })

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
    const earlier = this.#sent.get(reference)
    // A possibly accepted send must repeat its body. Otherwise the time limit is computed again.
    const prepared =
      earlier?.mayBeAccepted === true ? earlier.prepared : await this.#prepare(submission, reference)
    if ('kind' in prepared) return prepared
    const outcome = await this.#send(prepared)
    if (isBodyMismatch(outcome)) {
      // A service can remember the body of a request that it did not accept, and refuse any other.
      if (earlier !== undefined && earlier.prepared !== prepared)
        return this.#remember(reference, earlier.prepared, await this.#send(earlier.prepared))
      if (earlier === undefined) return await this.#sendAsBefore(submission, prepared, outcome)
    }
    if (outcome.kind !== 'refused' || outcome.code !== 'A217' || files.length === 0)
      return this.#remember(reference, prepared, outcome)
    // The service has removed a file early. It refused the message, so another send is not a duplicate.
    this.#files.invalidate(files)
    const reuploaded = await this.#prepare(submission, `${reference}-F`)
    if ('kind' in reuploaded) return reuploaded
    return this.#remember(reference, reuploaded, await this.#send(reuploaded))
  }

  /**
   * Handles a key that the previous owner of the route used with another body, whose time limit was longer. The service repeats
   * its response for the same body, and refuses any other.
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
      const request = toOmniRequest(submission, files, nowMs - agoMs, this.#options)
      if (tried.has(request.body)) continue
      tried.add(request.body)
      const retried = await this.#send({ ...prepared, ...request })
      if (!isBodyMismatch(retried)) return retried
    }
    return outcome
  }

  async #prepare(submission: Submission, idempotencyKey: string): Promise<Prepared | SubmitOutcome> {
    const files = await this.#files.resolve(submission.files)
    if ('kind' in files) return files
    return {
      ...toOmniRequest(submission, files, clock.timeBefore(submission.validUntil), this.#options),
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
    const { outcome, link } = parseOmniOutcome(result, this.#options.throttleRetryMs)
    const code = outcome.kind === 'accepted' ? '' : outcome.code
    if (link === 'foreign' && !(await this.#upstream.isAccountAccepted())) {
      this.#onProblem({ link: 'account', code, path })
      return { kind: 'unreachable', code, text: 'the service refuses the account' }
    }
    if (link !== 'up' && link !== 'foreign') this.#onProblem({ link, code, path })
    return outcome
  }
}

function isBodyMismatch(outcome: SubmitOutcome): boolean {
  return outcome.kind === 'unknown' && outcome.code === 'A021'
}
