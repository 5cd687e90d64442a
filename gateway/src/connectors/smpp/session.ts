/**
 * One SMPP session on one connection: open, bind, submit within the window, answer the carrier, take leave.
 *
 * It never stalls: whatever a peer sends, or does not send, ends in an answer, a timeout or a closed session;
 * and when it closes, every open submission has been settled. It does not reconnect: that is link.ts.
 */
import type { Socket } from 'node:net'
import { bindBody } from './bind.ts'
import type { Inbox } from './inbox.ts'
import type { SmppOptions } from './options.ts'
import type { BindKind, BodyOf, Pdu, PduError } from './pdu.ts'
import { isResponse } from './pdu.ts'
import { Unbind } from './unbind.ts'
import { Keepalive } from './keepalive.ts'
import { statuses } from './status.ts'
import type { Settle } from './window.ts'
import { Window } from './window.ts'
import { Wire } from './wire.ts'

export interface SessionEnd {
  readonly reason: string
  /** The carrier's answer to the bind, when that is why it ended. */
  readonly bindStatus: number | null
}

export interface SessionEvents {
  /** It now takes submissions, or no longer does. */
  onChange(reason: string): void
  /** Once, after every open submission was settled. */
  onClosed(end: SessionEnd): void
  /** A response that nothing waits for: late, or not ours. */
  onStrayResponse(): void
}

const unbindTimeoutMs = 2000
/** How long a carrier that takes leave is given to answer what it has already taken. */
const partingMs = 5000
const nothing = {}
const noMessageId = { messageId: '' }

export class Session {
  readonly #role: BindKind
  readonly #options: SmppOptions
  readonly #inbox: Inbox
  readonly #events: SessionEvents
  readonly #wire: Wire
  readonly #window: Window
  readonly #pulse: Keepalive
  readonly #parting: Unbind
  #state: 'opening' | 'binding' | 'bound' | 'leaving' | 'closed' = 'opening'
  #bindTimer: NodeJS.Timeout | undefined
  #bindSequence = 0
  #enquireSequence = 0

  constructor(role: BindKind, socket: Socket, options: SmppOptions, inbox: Inbox, events: SessionEvents) {
    this.#role = role
    this.#options = options
    this.#inbox = inbox
    this.#events = events
    this.#wire = new Wire(socket, options.tls === undefined ? 'connect' : 'secureConnect', options, {
      onOpen: () => this.#bind(),
      onPdu: (pdu) => this.#handle(pdu),
      onMalformed: (error) => this.#fail(`malformed PDU: ${error.message}`, error),
      onGone: (reason) => this.#close(reason),
    })
    this.#window = new Window(options.responseTimeoutMs, () => this.#wire.listenedMs())
    this.#pulse = new Keepalive(options.enquireIntervalMs, options.enquireTimeoutMs, {
      ask: () => {
        this.#enquireSequence = this.#window.nextSequence()
        this.#wire.send('enquire_link', 0, this.#enquireSequence, nothing)
      },
      received: () => this.#wire.received,
      clock: () => this.#wire.listenedMs(),
      onSilence: () => this.#fail('no answer to enquire_link'),
    })
    this.#parting = new Unbind(Math.min(unbindTimeoutMs, options.stopTimeoutMs), {
      drained: () => this.#window.size === 0 && inbox.inHand === 0,
      unbind: () => this.#wire.send('unbind', 0, this.#window.nextSequence(), nothing),
      answerUnbind: (sequence) => this.#wire.send('unbind_resp', 0, sequence, nothing),
      close: (reason) => this.#close(reason),
    })
    inbox.attach(this.#wire)
  }

  get bound(): boolean {
    return this.#state === 'bound'
  }

  /** How many more submissions it would take now. */
  get room(): number {
    if (this.#state !== 'bound' || this.#role === 'bind_receiver') return 0
    return this.#options.window - this.#window.size
  }

  /** `settle` is called exactly once. Throws PduError, and takes nothing, when the body cannot be encoded. */
  submit(body: BodyOf<'submit_sm'>, settle: Settle): void {
    if (this.room <= 0) return settle({ kind: 'lost', written: false, reason: 'no room in the window' })
    const sequence = this.#window.nextSequence()
    this.#wire.send('submit_sm', 0, sequence, body)
    this.#window.add(sequence, this.#wire.queued, settle)
  }

  /** Takes no more, waits for what is open, unbinds, closes. Resolves when the socket is gone. */
  leave(reason: string, drainMs: number): Promise<void> {
    if (this.#state === 'bound') {
      this.#state = 'leaving'
      this.#events.onChange(reason)
      this.#parting.begin(reason, drainMs)
    } else if (this.#state === 'opening' || this.#state === 'binding') {
      this.#fail(reason)
    }
    return this.#wire.closed
  }

  #bind(): void {
    this.#state = 'binding'
    this.#bindSequence = this.#window.nextSequence()
    this.#bindTimer = setTimeout(() => this.#fail('no answer to bind'), this.#options.bindTimeoutMs)
    this.#wire.send(this.#role, 0, this.#bindSequence, bindBody(this.#options))
  }

  #bindAnswered(pdu: Pdu): void {
    if (this.#state !== 'binding' || pdu.sequence !== this.#bindSequence)
      return this.#events.onStrayResponse()
    clearTimeout(this.#bindTimer)
    if (pdu.commandStatus !== statuses.ESME_ROK || pdu.kind === 'generic_nack') {
      return this.#close('the carrier refused to bind', pdu.commandStatus)
    }
    this.#state = 'bound'
    this.#pulse.start()
    this.#events.onChange('bound')
  }

  #handle(pdu: Pdu): void {
    const { sequence, commandStatus } = pdu
    switch (pdu.kind) {
      case 'submit_sm_resp':
        return this.#answered(sequence, commandStatus, pdu.messageId)
      case 'deliver_sm':
        return this.#inbox.take(pdu, (answer) => this.#delivered('deliver_sm_resp', answer, sequence))
      case 'data_sm':
        return this.#inbox.take(pdu, (answer) => this.#delivered('data_sm_resp', answer, sequence))
      case 'enquire_link':
        return this.#wire.send('enquire_link_resp', 0, sequence, nothing)
      case 'enquire_link_resp':
        return this.#pulse.start()
      case 'bind_receiver_resp':
      case 'bind_transmitter_resp':
      case 'bind_transceiver_resp':
        return this.#bindAnswered(pdu)
      case 'generic_nack':
        return this.#nacked(pdu)
      case 'unbind':
        return this.#unboundByPeer(sequence)
      case 'unbind_resp':
        return this.#parting.answered() ? undefined : this.#events.onStrayResponse()
      case 'alert_notification':
        return
      default:
        if (isResponse(pdu)) return this.#events.onStrayResponse()
        // A request that we do not know, or one that only a client makes; we are the client.
        return this.#wire.send('generic_nack', statuses.ESME_RINVCMDID, sequence, nothing)
    }
  }

  #answered(sequence: number, commandStatus: number, messageId: string): void {
    if (!this.#window.answer(sequence, { kind: 'response', commandStatus, messageId })) {
      return this.#events.onStrayResponse()
    }
    this.#parting.advance()
  }

  #nacked(pdu: Pdu): void {
    if (pdu.sequence === 0) return this.#fail('the carrier could not read us')
    if (pdu.sequence === this.#bindSequence) return this.#bindAnswered(pdu)
    // A carrier that does not know enquire_link is alive all the same.
    if (pdu.sequence === this.#enquireSequence) return this.#pulse.start()
    // No nack is an acceptance, whatever its status says.
    this.#answered(pdu.sequence, pdu.commandStatus || statuses.ESME_RUNKNOWNERR, '')
  }

  #delivered(kind: 'deliver_sm_resp' | 'data_sm_resp', commandStatus: number, sequence: number): void {
    this.#wire.send(kind, commandStatus, sequence, noMessageId)
    this.#parting.advance()
  }

  #unboundByPeer(sequence: number): void {
    if (this.#state === 'bound') {
      this.#state = 'leaving'
      this.#events.onChange('unbound by the carrier')
    }
    this.#parting.asked(sequence, partingMs)
  }

  /** Ends it at once. Submissions that still lie in the outbox are taken back and surely never leave. */
  #fail(reason: string, nack?: PduError): void {
    const { handedOver } = this.#wire
    this.#wire.discard()
    if (nack !== undefined) this.#wire.send('generic_nack', nack.commandStatus, nack.sequence, nothing)
    this.#close(reason, null, handedOver)
  }

  #close(reason: string, bindStatus: number | null = null, handedOver?: number): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    clearTimeout(this.#bindTimer)
    this.#pulse.stop()
    this.#parting.stop()
    this.#inbox.detach()
    this.#wire.end()
    this.#window.lose(handedOver ?? this.#wire.handedOver, reason)
    this.#events.onClosed({ reason, bindStatus })
  }
}
