import type { Socket } from 'node:net'
import { Keepalive } from '../../../carriers/smpp/keepalive.ts'
import type { BindKind, Pdu, PduError, PduOf } from '../../../carriers/smpp/pdu.ts'
import { isResponse } from '../../../carriers/smpp/pdu.ts'
import { statuses } from '../../../carriers/smpp/status.ts'
import { Unbind } from '../../../carriers/smpp/unbind.ts'
import { Window, type SubmissionResult } from '../../../carriers/smpp/window.ts'
import { Wire } from '../../../carriers/smpp/wire.ts'
import type { DeliverBody } from '../delivery/receipt.ts'
import {
  sendBindResponse,
  sendSubmitResponse,
  version34,
  type BindRequest,
  type SubmitResponse,
} from '../session-responses.ts'

export interface SessionLimits {
  readonly bindTimeoutMs: number
  /** Maximum unanswered submits of one bind; beyond that the connection is not read. */
  readonly window: number
  /** Maximum unanswered deliveries to one bind. */
  readonly deliverWindow: number
  readonly responseTimeoutMs: number
  readonly enquireIntervalMs: number
  readonly enquireTimeoutMs: number
  readonly maxPduBytes: number
  readonly maxBacklogBytes: number
}

export interface SessionHooks {
  /** Resolves with the command_status; with 0 the session is bound. Never rejects. */
  bind(session: ClientSession, request: BindRequest): Promise<number>
  /** Must read the request before its first await. Never rejects. */
  submit(session: ClientSession, request: PduOf<'submit_sm'>): Promise<SubmitResponse>
  /** Returns true while the process has reached its limit of submits in progress. */
  isCrowded(): boolean
  /** Called when a submit begins (1) or ends (-1). */
  onOpen(change: 1 | -1): void
  /** Called when the session can take another delivery, or can receive from now on. */
  onRoom(session: ClientSession): void
  onClosed(session: ClientSession, reason: string): void
}

const unbindAnswerMs = 2_000
const peerUnbindDrainMs = 5_000
const nothing = {}

/**
 * One connection of a client: bind, submit within the window, deliver receipts and replies, keep alive, unbind.
 * Everything that the client sends or fails to send leads to a response, a timeout or the end of the session. While
 * its window is full the connection is not read, so it cannot hold up others. The hooks decide about accounts and
 * messages.
 */
export class ClientSession {
  readonly id: string
  readonly address: string
  readonly #limits: SessionLimits
  readonly #hooks: SessionHooks
  readonly #wire: Wire
  readonly #window: Window
  readonly #keepalive: Keepalive
  readonly #unbinding: Unbind
  readonly #bindTimer: NodeJS.Timeout
  #state: 'open' | 'binding' | 'bound' | 'unbinding' | 'closed' = 'open'
  #kind: BindKind | null = null
  #version = version34
  #open = 0
  #paused = false
  /** Set if the server unbinds: the client can repeat refused submits over its next bind. */
  #leaving = false

  constructor(id: string, socket: Socket, address: string, limits: SessionLimits, hooks: SessionHooks) {
    this.id = id
    this.address = address
    this.#limits = limits
    this.#hooks = hooks
    const { maxPduBytes, maxBacklogBytes } = limits
    const wireLimits = { connectTimeoutMs: 0, maxPduBytes, maxBacklogBytes, peer: 'the client' }
    this.#wire = new Wire(socket, null, wireLimits, {
      onOpen: () => undefined,
      onPdu: (pdu) => this.#handle(pdu),
      onMalformed: (error, commandId) => this.#refuse(error, commandId !== null),
      onClosed: (reason) => this.#close(reason),
    })
    this.#window = new Window(limits.responseTimeoutMs, () => this.#wire.activeMs())
    this.#keepalive = new Keepalive(limits.enquireIntervalMs, limits.enquireTimeoutMs, {
      enquire: () => this.#wire.send('enquire_link', 0, this.#window.nextSequence(), nothing),
      received: () => this.#wire.received,
      clock: () => this.#wire.activeMs(),
      onTimeout: () => this.#close('no response to enquire_link'),
    })
    this.#unbinding = new Unbind(unbindAnswerMs, {
      drained: () => this.#window.size === 0 && this.#open === 0,
      unbind: () => this.#wire.send('unbind', 0, this.#window.nextSequence(), nothing),
      answerUnbind: (sequence) => this.#wire.send('unbind_resp', 0, sequence, nothing),
      close: (reason) => this.#close(reason),
    })
    this.#bindTimer = setTimeout(() => this.#close('no bind in time'), limits.bindTimeoutMs)
  }

  get bound(): boolean {
    return this.#state === 'bound'
  }

  get closed(): boolean {
    return this.#state === 'closed'
  }

  get canReceive(): boolean {
    return this.bound && this.#kind !== 'bind_transmitter'
  }

  /** Number of deliveries without a response. */
  get delivering(): number {
    return this.#window.size
  }

  /** Number of deliveries that the bind has room for. */
  get free(): number {
    return this.canReceive ? this.#limits.deliverWindow - this.#window.size : 0
  }

  /** Calls `settle` exactly once. Throws PduError, and sends nothing, if the body cannot be encoded. */
  deliver(body: DeliverBody, settle: (answer: SubmissionResult) => void): void {
    if (this.free <= 0) return settle({ kind: 'lost', written: false, reason: 'the window is full' })
    const sequence = this.#window.nextSequence()
    // Optional parameters exist since version 3.4.
    const { tlvs, ...fields } = body
    const sent = tlvs === undefined || this.#version < version34 ? fields : { ...fields, tlvs }
    this.#wire.send('deliver_sm', 0, sequence, sent)
    this.#window.add(sequence, this.#wire.queuedBytes, settle)
  }

  /**
   * Stops accepting requests, responds to those in progress, unbinds and closes. Resolves when the socket is
   * closed.
   */
  unbind(reason: string, drainMs: number): Promise<void> {
    if (this.#state === 'bound') {
      this.#state = 'unbinding'
      this.#leaving = true
      this.#unbinding.start(reason, drainMs)
    } else if (this.#state !== 'unbinding') this.#close(reason)
    return this.#wire.closed
  }

  /**
   * Resumes reading once a quarter of this session's window is free, and, while it has submits in progress,
   * the process has room.
   */
  resumeReading(): void {
    if (!this.#paused || this.#open > this.#limits.window * 0.75) return
    if (this.#open > 0 && this.#hooks.isCrowded()) return
    this.#paused = false
    this.#wire.resume()
  }

  #handle(pdu: Pdu): void {
    const { sequence } = pdu
    switch (pdu.kind) {
      case 'bind_receiver':
      case 'bind_transmitter':
      case 'bind_transceiver':
        return this.#bind(pdu)
      case 'submit_sm':
        return this.#submit(pdu)
      case 'deliver_sm_resp':
        return this.#answered(sequence, pdu.commandStatus, pdu.messageId)
      case 'generic_nack':
        // A generic_nack is never an acknowledgement, whatever its status.
        return this.#answered(sequence, pdu.commandStatus || statuses.ESME_RUNKNOWNERR, '')
      case 'enquire_link':
        return this.#wire.send('enquire_link_resp', 0, sequence, nothing)
      case 'enquire_link_resp':
        return this.bound ? this.#keepalive.start() : undefined
      case 'unbind':
        return this.#unboundByClient(sequence)
      case 'unbind_resp':
        return void this.#unbinding.handleResponse()
      case 'data_sm':
        return this.#wire.send('data_sm_resp', statuses.ESME_RINVCMDID, sequence, { messageId: '' })
      default:
        if (isResponse(pdu)) return
        return this.#wire.send('generic_nack', statuses.ESME_RINVCMDID, sequence, nothing)
    }
  }

  #bind(request: BindRequest): void {
    const { kind, sequence, interfaceVersion } = request
    if (this.#state !== 'open')
      return sendBindResponse(this.#wire, this.#version, kind, statuses.ESME_RALYBND, sequence)
    this.#state = 'binding'
    this.#version = interfaceVersion
    // The client was in time; the server's own password check must not use up its time.
    this.#bindTimer.refresh()
    void this.#hooks.bind(this, request).then((status) => {
      // The session was closed in the meantime; onClosed has reported that.
      if (this.#state !== 'binding') return
      clearTimeout(this.#bindTimer)
      const isBound = status === statuses.ESME_ROK
      if (isBound) {
        this.#state = 'bound'
        this.#kind = kind
        this.#keepalive.start()
      }
      sendBindResponse(this.#wire, this.#version, kind, status, sequence)
      if (isBound) this.#hooks.onRoom(this)
      else this.#close('bind refused')
    })
  }

  #submit(request: PduOf<'submit_sm'>): void {
    const { sequence } = request
    if (this.#state !== 'bound' || this.#kind === 'bind_receiver')
      return sendSubmitResponse(this.#wire, this.#version, sequence, {
        status: this.#refusal(),
        messageId: '',
      })
    this.#open += 1
    this.#hooks.onOpen(1)
    void this.#hooks.submit(this, request).then((response) => {
      this.#open -= 1
      this.#hooks.onOpen(-1)
      sendSubmitResponse(this.#wire, this.#version, sequence, response)
      this.#unbinding.advance()
      this.resumeReading()
    })
    if (this.#open >= this.#limits.window || this.#hooks.isCrowded()) {
      this.#paused = true
      this.#wire.pause()
    }
  }

  #refusal(): number {
    const isTemporary = this.#leaving && this.#kind !== 'bind_receiver'
    return isTemporary ? statuses.ESME_RSYSERR : statuses.ESME_RINVBNDSTS
  }

  #answered(sequence: number, commandStatus: number, messageId: string): void {
    if (!this.#window.settle(sequence, { kind: 'response', commandStatus, messageId })) return
    this.#unbinding.advance()
    if (this.bound) this.#hooks.onRoom(this)
  }

  #unboundByClient(sequence: number): void {
    if (this.#state === 'open' || this.#state === 'binding') {
      this.#wire.send('unbind_resp', 0, sequence, nothing)
      return this.#close('unbound by the client')
    }
    this.#state = 'unbinding'
    this.#leaving = false
    // Deliveries without a response will not get one; they are delivered again later.
    this.#window.settleLost(this.#wire.writtenBytes, 'unbound by the client')
    this.#unbinding.peerUnbound(sequence, peerUnbindDrainMs)
  }

  #refuse(error: PduError, isFramed: boolean): void {
    this.#wire.send('generic_nack', error.commandStatus, error.sequence, nothing)
    if (!isFramed || this.#state === 'open') this.#close(`malformed PDU: ${error.message}`)
  }

  #close(reason: string): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    clearTimeout(this.#bindTimer)
    this.#keepalive.stop()
    this.#unbinding.stop()
    this.#wire.end()
    this.#window.settleLost(this.#wire.writtenBytes, reason)
    this.#hooks.onClosed(this, reason)
  }
}
