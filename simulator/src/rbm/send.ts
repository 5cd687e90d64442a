/** Carries out the behaviour of a message: refuses, accepts, answers, gives its events, and revokes it. */
import { createHash } from 'node:crypto'
import type { CarrierState } from '../shared/carrier-state.ts'
import { json } from '../shared/http-server.ts'
import type { HttpAnswer, HttpReply } from '../shared/http-server.ts'
import type { Fields } from '../shared/json-body.ts'
import { makeRoom } from '../shared/make-room.ts'
import type { LogEntry } from '../shared/received-log.ts'
import { behaviourFor } from './behaviours.ts'
import type { Behaviour } from './behaviours.ts'
import { errorReply } from './errors.ts'
import type { ErrorStatus } from './errors.ts'
import { firstSuggestion, replyKinds, webhookOf } from './events.ts'
import type { EventKind, Occasion } from './events.ts'
import type { RbmOptions } from './settings.ts'

export interface RbmEntry extends LogEntry {
  readonly agentId: string
  readonly message: Fields
}

export interface SendRequest {
  readonly messageId: string
  readonly agentId: string
  readonly to: string
  readonly message: Fields
  /** Octets of the request. */
  readonly bytes: number
}

type State = 'pending' | 'delivered' | 'revoked'

export class Sender {
  readonly #options: RbmOptions
  readonly #state: CarrierState<RbmEntry>
  /** By agent and message id: an id that was used before is ignored. */
  readonly #messages = new Map<string, { readonly to: string; state: State }>()

  constructor(options: RbmOptions, state: CarrierState<RbmEntry>) {
    this.#options = options
    this.#state = state
  }

  forget(): void {
    this.#messages.clear()
  }

  refuse(status: ErrorStatus, message: string): HttpReply {
    this.#state.counters[status === 'RESOURCE_EXHAUSTED' ? 'throttled' : 'refused']++
    return errorReply(status, message)
  }

  /** Counts the request in exactly one way and answers it. A repeated id is counted as refused. */
  async send(request: SendRequest): Promise<HttpAnswer> {
    const behaviour = behaviourFor(request.to)
    const { counters, log } = this.#state
    if (this.#messages.has(idOf(request))) {
      counters.refused++
      return this.#options.repeatStatus === 200
        ? created(request)
        : errorReply('ALREADY_EXISTS', 'the messageId was used before')
    }
    const key = contentKey(request)
    const refusal = this.#refusalOf(behaviour, key)
    if (refusal !== undefined) return this.refuse(refusal, `simulated by ${behaviour.ending}`)
    if (!behaviour.accepts) {
      counters.abandoned++
      return 'disconnect'
    }
    counters.accepted++
    this.#remember(request)
    const { messageId, to, agentId, message, bytes } = request
    log.add({ id: messageId, to, key, agentId, message }, bytes)
    const given = this.#giveEvents(request, behaviour)
    if (behaviour.answer === 'after its event') {
      await Promise.race([given, this.#state.after(this.#options.earlyMs)])
    }
    if (behaviour.answer === 'slowly') await this.#state.after(this.#options.slowMs)
    return answerOf(request, behaviour)
  }

  /** A message is revoked until it is delivered: its events are then not sent. */
  revoke(agentId: string, to: string, messageId: string): HttpReply {
    const known = this.#messages.get(idOf({ agentId, messageId }))
    if (known?.to === to && known.state !== 'delivered') {
      known.state = 'revoked'
      return json(200, {})
    }
    return this.#options.lateRevokeStatus === 200
      ? json(200, {})
      : errorReply('NOT_FOUND', 'the message is delivered or not known')
  }

  /** Resolves when the webhook is acknowledged or given up. */
  async post(
    kind: EventKind,
    occasion: Omit<Occasion, 'kind'>,
    delayMs = 0,
    isRevoked = () => false,
  ): Promise<void> {
    const { webhookUrl, clientToken } = this.#options
    if (webhookUrl === undefined) return
    const webhook = webhookOf(webhookUrl, { kind, ...occasion }, clientToken, this.newId())
    await this.#state.receipts.send({ ...webhook, withdrawn: isRevoked }, delayMs)
  }

  newId(): string {
    return String(this.#state.numbers.next())
  }

  #refusalOf({ refuse }: Behaviour, key: string): ErrorStatus | undefined {
    if (this.#state.receipts.counters.receiptsPending >= this.#options.maxPending) return 'RESOURCE_EXHAUSTED'
    if (!this.#state.withinRate()) return 'RESOURCE_EXHAUSTED'
    return refuse !== undefined && this.#state.refusesTry(key, refuse.tries) ? refuse.status : undefined
  }

  #remember(request: SendRequest): void {
    if (this.#options.rememberIds === 0) return
    makeRoom(this.#messages, this.#options.rememberIds)
    this.#messages.set(idOf(request), { to: request.to, state: 'pending' })
  }

  async #giveEvents(request: SendRequest, behaviour: Behaviour): Promise<void> {
    const { events, sameEventId, late, expires, atExpiry = false } = behaviour
    const { to, agentId, message, messageId } = request
    if (expires && message['ttl'] === undefined && message['expireTime'] === undefined) return
    const known = this.#messages.get(idOf(request))
    const delayMs = atExpiry
      ? lifetimeMs(message)
      : late
        ? this.#options.lateMs
        : this.#options.receiptDelayMs
    const eventId = this.newId()
    // Asked just before an event is sent: from then on the message is delivered, unless it was revoked.
    const isRevoked = (): boolean => {
      if (known?.state === 'pending') known.state = 'delivered'
      return known?.state === 'revoked'
    }
    for (const kind of events) {
      const about = replyKinds.some((reply) => reply === kind) ? undefined : messageId
      const id = sameEventId ? eventId : this.newId()
      const occasion = { from: to, agentId, id, messageId: about, suggestion: firstSuggestion(message) }
      await this.post(kind, occasion, delayMs, isRevoked)
    }
  }
}

/** `expireTime` is a time, `ttl` a number of seconds with an s. */
function lifetimeMs(message: Readonly<Record<string, unknown>>): number {
  const { expireTime, ttl } = message
  const ms =
    typeof expireTime === 'string' ? Date.parse(expireTime) - Date.now() : parseFloat(String(ttl)) * 1_000
  return Math.max(0, Number.isNaN(ms) ? 0 : ms)
}

function idOf({ agentId, messageId }: { readonly agentId: string; readonly messageId: string }): string {
  return `${agentId} ${messageId}`
}

function created({ to, messageId, message }: SendRequest): HttpReply {
  const name = `phones/${to}/agentMessages/${messageId}`
  return json(200, { ...message, name, sendTime: new Date().toISOString() })
}

function answerOf(request: SendRequest, { answer }: Behaviour): HttpAnswer {
  const accepted = created(request)
  switch (answer) {
    case 'never':
      return 'hang'
    case 'by disconnecting':
      return 'disconnect'
    case 'HTTP 500':
      return errorReply('INTERNAL', 'simulated by the recipient')
    case 'broken JSON':
      return { ...accepted, body: String(accepted.body).slice(0, -10) }
    case 'at once':
    case 'slowly':
    case 'after its event':
      return accepted
  }
}

/** What makes two requests the same message: everything but the message id. */
function contentKey({ agentId, to, message }: SendRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([agentId, to, message]))
    .digest('base64')
}
