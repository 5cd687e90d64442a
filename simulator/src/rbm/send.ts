/**
 * Carries out the behaviour of a message: refuses or accepts it, responds, sends its events, and revokes it.
 */
import { createHash } from 'node:crypto'
import type { CarrierState } from '../shared/carrier-state.ts'
import { json } from '../shared/http-server.ts'
import type { HttpOutcome, HttpResponse } from '../shared/http-server.ts'
import type { Fields } from '../shared/json-body.ts'
import { evictOldest } from '../shared/evict-oldest.ts'
import type { LogEntry } from '../shared/received-log.ts'
import { behaviourFor } from './behaviours.ts'
import type { Behaviour } from './behaviours.ts'
import { errorReply } from './errors.ts'
import type { ErrorStatus } from './errors.ts'
import { firstSuggestion, rbmReplyKinds, buildWebhook } from './events.ts'
import type { EventKind, EventDetails } from './events.ts'
import type { RbmOptions } from './settings.ts'

export interface RbmEntry extends LogEntry {
  readonly agentId: string
  readonly message: Fields
}

export interface RbmSendRequest {
  readonly messageId: string
  readonly agentId: string
  readonly to: string
  readonly message: Fields
  /** Size of the request. */
  readonly bytes: number
}

type MessageState = 'pending' | 'delivered' | 'revoked'

export class RbmSender {
  readonly #options: RbmOptions
  readonly #state: CarrierState<RbmEntry>
  /** Messages by agent and message id. Repeated ids are ignored. */
  readonly #messages = new Map<string, { readonly to: string; state: MessageState }>()

  constructor(options: RbmOptions, state: CarrierState<RbmEntry>) {
    this.#options = options
    this.#state = state
  }

  forget(): void {
    this.#messages.clear()
  }

  refuse(status: ErrorStatus, message: string): HttpResponse {
    this.#state.counters[status === 'RESOURCE_EXHAUSTED' ? 'throttled' : 'refused']++
    return errorReply(status, message)
  }

  /** Handles the request and counts it in exactly one counter. A repeated id counts as refused. */
  async send(request: RbmSendRequest): Promise<HttpOutcome> {
    const behaviour = behaviourFor(request.to)
    const { counters, log } = this.#state
    if (this.#messages.has(messageKey(request))) {
      counters.refused++
      return this.#options.repeatStatus === 200
        ? created(request)
        : errorReply('ALREADY_EXISTS', 'the messageId was already used')
    }
    const key = contentKey(request)
    const refusal = this.#checkRefusal(behaviour, key)
    if (refusal !== undefined) return this.refuse(refusal, `simulated by ${behaviour.ending}`)
    if (!behaviour.accepts) {
      counters.abandoned++
      return 'disconnect'
    }
    counters.accepted++
    this.#remember(request)
    const { messageId, to, agentId, message, bytes } = request
    log.add({ id: messageId, to, key, agentId, message }, bytes)
    const eventsSent = this.#sendEvents(request, behaviour)
    if (behaviour.answer === 'after its event') {
      await Promise.race([eventsSent, this.#state.after(this.#options.earlyMs)])
    }
    if (behaviour.answer === 'slowly') await this.#state.after(this.#options.slowMs)
    return buildAnswer(request, behaviour)
  }

  /** Revokes a message that is not delivered yet. Its events are then not sent. */
  revoke(agentId: string, to: string, messageId: string): HttpResponse {
    const known = this.#messages.get(messageKey({ agentId, messageId }))
    if (known?.to === to && known.state !== 'delivered') {
      known.state = 'revoked'
      return json(200, {})
    }
    return this.#options.lateRevokeStatus === 200
      ? json(200, {})
      : errorReply('NOT_FOUND', 'message not found or already delivered')
  }

  /** Posts a webhook, if there is a URL. Resolves when it is acknowledged or abandoned. */
  async post(
    kind: EventKind,
    details: Omit<EventDetails, 'kind'>,
    delayMs = 0,
    withdrawn = () => false,
  ): Promise<void> {
    const { webhookUrl, clientToken } = this.#options
    if (webhookUrl === undefined) return
    const webhook = buildWebhook(webhookUrl, { kind, ...details }, clientToken, this.newId())
    await this.#state.receipts.send({ ...webhook, withdrawn }, delayMs)
  }

  newId(): string {
    return String(this.#state.numbers.next())
  }

  #checkRefusal({ refuse }: Behaviour, key: string): ErrorStatus | undefined {
    if (this.#state.receipts.counters.receiptsPending >= this.#options.maxPending) return 'RESOURCE_EXHAUSTED'
    if (!this.#state.takeRateToken()) return 'RESOURCE_EXHAUSTED'
    return refuse !== undefined && this.#state.shouldRefuseTry(key, refuse.tries) ? refuse.status : undefined
  }

  #remember(request: RbmSendRequest): void {
    if (this.#options.rememberIds === 0) return
    evictOldest(this.#messages, this.#options.rememberIds)
    this.#messages.set(messageKey(request), { to: request.to, state: 'pending' })
  }

  async #sendEvents(request: RbmSendRequest, behaviour: Behaviour): Promise<void> {
    const { events, sameEventId, late, expires, atExpiry = false } = behaviour
    const { to, agentId, message, messageId } = request
    if (expires && message['ttl'] === undefined && message['expireTime'] === undefined) return
    const known = this.#messages.get(messageKey(request))
    const delayMs = atExpiry
      ? lifetimeMs(message)
      : late
        ? this.#options.lateMs
        : this.#options.receiptDelayMs
    const eventId = this.newId()
    // Called before every attempt to send an event. Unless the message is revoked, it counts as delivered from then
    // on. Returns whether it is revoked.
    const deliverUnlessRevoked = (): boolean => {
      if (known?.state === 'pending') known.state = 'delivered'
      return known?.state === 'revoked'
    }
    for (const kind of events) {
      const about = rbmReplyKinds.some((reply) => reply === kind) ? undefined : messageId
      const id = sameEventId ? eventId : this.newId()
      const details = { from: to, agentId, id, messageId: about, suggestion: firstSuggestion(message) }
      await this.post(kind, details, delayMs, deliverUnlessRevoked)
    }
  }
}

/** `expireTime` is a timestamp, `ttl` a duration such as `30s`. */
function lifetimeMs(message: Readonly<Record<string, unknown>>): number {
  const { expireTime, ttl } = message
  const ms =
    typeof expireTime === 'string' ? Date.parse(expireTime) - Date.now() : parseFloat(String(ttl)) * 1_000
  return Math.max(0, Number.isNaN(ms) ? 0 : ms)
}

function messageKey({
  agentId,
  messageId,
}: {
  readonly agentId: string
  readonly messageId: string
}): string {
  return `${agentId} ${messageId}`
}

function created({ to, messageId, message }: RbmSendRequest): HttpResponse {
  const name = `phones/${to}/agentMessages/${messageId}`
  return json(200, { ...message, name, sendTime: new Date().toISOString() })
}

function buildAnswer(request: RbmSendRequest, { answer }: Behaviour): HttpOutcome {
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

/** Identifies a message by all fields except the message id. */
function contentKey({ agentId, to, message }: RbmSendRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([agentId, to, message]))
    .digest('base64')
}
