/**
 * One SMPP session on one connection: connects, binds, submits within the window, responds to the carrier, unbinds.
 *
 * Never stalls: anything that a peer sends or fails to send leads to a response, a timeout or a closed session, and on close
 * every open submission is settled. Does not reconnect; link.ts does.
 */
import type { Socket } from 'node:net'
import type { PendingDeliveries } from './pending-deliveries.ts'
import type { SmppOptions } from './options.ts'
import type { BindKind, BodyOf, Pdu, PduError } from '../../smpp/pdu.ts'
import type { EncodableBody } from '../../smpp/codec.ts'
import { layouts } from '../../smpp/fields.ts'
import { isResponse } from '../../smpp/pdu.ts'
import { Unbind } from '../../smpp/unbind.ts'
import { Keepalive } from '../../smpp/keepalive.ts'
import { statuses } from '../../smpp/status.ts'
import { readTlv } from '../../smpp/tlv.ts'
import type { SubmissionResult, Settle } from '../../smpp/window.ts'
import { Window } from '../../smpp/window.ts'
import { Wire } from '../../smpp/wire.ts'

export interface SessionEnd {
  readonly reason: string
  /** The command_status of the bind response, if the carrier refused the bind. */
  readonly bindStatus: number | null
}

export interface SessionEvents {
  /** Called when the session is bound, and when it begins to unbind. */
  onChange(reason: string): void
  /** Called once, after every open submission was settled. */
  onClosed(end: SessionEnd): void
  /** Called for a response without a matching request: late, or unrelated. */
  onStrayResponse(): void
  /** Called when a request that cannot be parsed was refused. */
  onMalformed(reason: string): void
}

const unbindTimeoutMs = 2000
/** Time for a carrier that unbinds to respond to open submissions. */
const peerUnbindDrainMs = 5000
const nothing = {}
const noMessageId = { messageId: '' }

export class Session {
  readonly #role: BindKind
  readonly #options: SmppOptions
  readonly #pending: PendingDeliveries
  readonly #events: SessionEvents
  readonly #wire: Wire
  readonly #window: Window
  readonly #keepalive: Keepalive
  readonly #unbinding: Unbind
  #state: 'opening' | 'binding' | 'bound' | 'unbinding' | 'closed' = 'opening'
  #bindTimer: NodeJS.Timeout | undefined
  #bindSequence = 0
  #enquireSequence = 0

  constructor(
    role: BindKind,
    socket: Socket,
    options: SmppOptions,
    pending: PendingDeliveries,
    events: SessionEvents,
  ) {
    this.#role = role
    this.#options = options
    this.#pending = pending
    this.#events = events
    this.#wire = new Wire(socket, options.tls === undefined ? 'connect' : 'secureConnect', options, {
      onOpen: () => this.#bind(),
      onPdu: (pdu) => this.#handle(pdu),
      onMalformed: (error, commandId) =>
        commandId === null ? this.#fail(error.message, error) : this.#refuse(error, commandId),
      onClosed: (reason) => this.#close(reason),
    })
    this.#window = new Window(options.responseTimeoutMs, () => this.#wire.activeMs())
    this.#keepalive = new Keepalive(options.enquireIntervalMs, options.enquireTimeoutMs, {
      enquire: () => {
        this.#enquireSequence = this.#window.nextSequence()
        this.#wire.send('enquire_link', 0, this.#enquireSequence, nothing)
      },
      received: () => this.#wire.received,
      clock: () => this.#wire.activeMs(),
      onTimeout: () => this.#fail('no response to enquire_link'),
    })
    this.#unbinding = new Unbind(Math.min(unbindTimeoutMs, options.stopTimeoutMs), {
      drained: () => this.#window.size === 0 && pending.count === 0,
      unbind: () => this.#wire.send('unbind', 0, this.#window.nextSequence(), nothing),
      answerUnbind: (sequence) => this.#wire.send('unbind_resp', 0, sequence, nothing),
      close: (reason) => this.#close(reason),
    })
    pending.attach(this.#wire)
  }

  get bound(): boolean {
    return this.#state === 'bound'
  }

  /** Number of free slots in the window. */
  get free(): number {
    if (this.#state !== 'bound' || this.#role === 'bind_receiver') return 0
    return this.#options.window - this.#window.size
  }

  /** Calls `settle` exactly once. If the body cannot be encoded, throws PduError instead and sends nothing. */
  request<K extends 'submit_sm' | 'query_sm' | 'cancel_sm'>(
    kind: K,
    body: NoInfer<EncodableBody<K>>,
    settle: Settle,
  ): void {
    if (this.free <= 0) return settle({ kind: 'lost', written: false, reason: 'the window is full' })
    const sequence = this.#window.nextSequence()
    this.#wire.send(kind, 0, sequence, body)
    this.#window.add(sequence, this.#wire.queuedBytes, settle)
  }

  /** Stops accepting submissions, waits for open ones, unbinds and closes. Resolves when the socket is closed. */
  unbind(reason: string, drainMs: number): Promise<void> {
    if (this.#state === 'bound') {
      this.#state = 'unbinding'
      this.#events.onChange(reason)
      this.#unbinding.start(reason, drainMs)
    } else if (this.#state === 'opening' || this.#state === 'binding') {
      this.#fail(reason)
    }
    return this.#wire.closed
  }

  #bind(): void {
    this.#state = 'binding'
    this.#bindSequence = this.#window.nextSequence()
    this.#bindTimer = setTimeout(() => this.#fail('no response to bind'), this.#options.bindTimeoutMs)
    this.#wire.send(this.#role, 0, this.#bindSequence, bindBody(this.#options))
  }

  /** Ignores the sequence number: a connection has one bind, and some carriers number their responses themselves. */
  #handleBindResponse(pdu: Pdu): void {
    if (this.#state !== 'binding') return this.#events.onStrayResponse()
    clearTimeout(this.#bindTimer)
    if (pdu.commandStatus !== statuses.ESME_ROK || pdu.kind === 'generic_nack') {
      return this.#close('the carrier refused to bind', pdu.commandStatus)
    }
    this.#state = 'bound'
    this.#keepalive.start()
    this.#events.onChange('bound')
  }

  #handle(pdu: Pdu): void {
    const { sequence, commandStatus } = pdu
    switch (pdu.kind) {
      case 'submit_sm_resp':
        return this.#answered(sequence, {
          kind: 'response',
          commandStatus,
          messageId: pdu.messageId,
          congestion: readTlv(pdu.tlvs, 'congestionState'),
        })
      case 'query_sm_resp':
        return this.#answered(sequence, {
          kind: 'response',
          commandStatus,
          messageId: pdu.messageId,
          state: { finalDate: pdu.finalDate, messageState: pdu.messageState, errorCode: pdu.errorCode },
        })
      case 'cancel_sm_resp':
        return this.#answered(sequence, { kind: 'response', commandStatus, messageId: '' })
      case 'deliver_sm':
        return this.#pending.add(pdu, (answer) => this.#delivered('deliver_sm_resp', answer, sequence))
      case 'data_sm':
        return this.#pending.add(pdu, (answer) => this.#delivered('data_sm_resp', answer, sequence))
      case 'enquire_link':
        return this.#wire.send('enquire_link_resp', 0, sequence, nothing)
      case 'enquire_link_resp':
        return this.#keepalive.start()
      case 'bind_receiver_resp':
      case 'bind_transmitter_resp':
      case 'bind_transceiver_resp':
        return this.#handleBindResponse(pdu)
      case 'generic_nack':
        return this.#nacked(pdu)
      case 'unbind':
        return this.#unboundByPeer(sequence)
      case 'unbind_resp':
        return this.#unbinding.handleResponse() ? undefined : this.#events.onStrayResponse()
      case 'alert_notification':
        return
      default:
        if (isResponse(pdu)) return this.#events.onStrayResponse()
        // The request is unknown, or only a client (ESME) sends it, and this side is the client.
        return this.#wire.send('generic_nack', statuses.ESME_RINVCMDID, sequence, nothing)
    }
  }

  #answered(sequence: number, answer: SubmissionResult): void {
    if (!this.#window.settle(sequence, answer)) return this.#events.onStrayResponse()
    this.#unbinding.advance()
  }

  #nacked(pdu: Pdu): void {
    if (pdu.sequence === 0) return this.#fail('the carrier could not read our PDU')
    if (pdu.sequence === this.#bindSequence) return this.#handleBindResponse(pdu)
    // A carrier without support for enquire_link is alive nevertheless.
    if (pdu.sequence === this.#enquireSequence) return this.#keepalive.start()
    // A generic_nack is never an acceptance, whatever its status.
    const commandStatus = pdu.commandStatus || statuses.ESME_RUNKNOWNERR
    this.#answered(pdu.sequence, { kind: 'response', commandStatus, messageId: '' })
  }

  #delivered(kind: 'deliver_sm_resp' | 'data_sm_resp', commandStatus: number, sequence: number): void {
    this.#wire.send(kind, commandStatus, sequence, noMessageId)
    this.#unbinding.advance()
  }

  /**
   * Refuses one PDU. The status for a delivery is a permanent error, because the carrier would repeat the same malformed
   * octets. The message of a malformed receipt waits until its deadline.
   */
  #refuse({ message, commandStatus, sequence }: PduError, commandId: number): void {
    this.#events.onMalformed(message)
    switch (commandId) {
      case layouts.deliver_sm.id:
        return this.#delivered('deliver_sm_resp', statuses.ESME_RX_P_APPN, sequence)
      case layouts.data_sm.id:
        return this.#delivered('data_sm_resp', statuses.ESME_RX_P_APPN, sequence)
      default:
        return this.#wire.send('generic_nack', commandStatus, sequence, nothing)
    }
  }

  #unboundByPeer(sequence: number): void {
    if (this.#state === 'bound') {
      this.#state = 'unbinding'
      this.#events.onChange('unbound by the carrier')
    }
    this.#unbinding.peerUnbound(sequence, peerUnbindDrainMs)
  }

  /** Closes immediately. Drops submissions that are still in the write buffer, so they were never sent. */
  #fail(reason: string, nack?: PduError): void {
    const { writtenBytes } = this.#wire
    this.#wire.discard()
    if (nack !== undefined) this.#wire.send('generic_nack', nack.commandStatus, nack.sequence, nothing)
    this.#close(reason, null, writtenBytes)
  }

  #close(reason: string, bindStatus: number | null = null, writtenBytes?: number): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    clearTimeout(this.#bindTimer)
    this.#keepalive.stop()
    this.#unbinding.stop()
    this.#pending.detach()
    this.#wire.end()
    this.#window.settleLost(writtenBytes ?? this.#wire.writtenBytes, reason)
    this.#events.onClosed({ reason, bindStatus })
  }
}

const versions = { '3.4': 0x34, '5.0': 0x50 } as const

/** The same for all three kinds of bind. */
function bindBody(options: SmppOptions): BodyOf<BindKind> {
  return {
    systemId: options.systemId,
    password: options.password,
    systemType: options.systemType,
    interfaceVersion: versions[options.interfaceVersion],
    addrTon: options.bindAddress.ton,
    addrNpi: options.bindAddress.npi,
    addressRange: options.addressRange,
  }
}
