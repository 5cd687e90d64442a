/**
 * A test client based on node-smpp: an independent codec reveals mistakes in the simulator's codec. Collects
 * every receipt in order and answers it as configured.
 */
import { once } from 'node:events'
import { connect } from 'smpp'
import type { Pdu, Session } from 'smpp'

export type BindCommand = 'bind_transceiver' | 'bind_receiver' | 'bind_transmitter'

export interface PeerOptions {
  readonly bind?: BindCommand
  readonly systemId?: string
  readonly password?: string
  /** Returns the command_status for a receipt; undefined sends no response. */
  readonly answer?: (receipt: ReceivedReceipt) => number | undefined
}

export interface ReceivedReceipt {
  readonly command: string
  readonly esmClass: number
  readonly from: string
  readonly to: string
  readonly text: string
  readonly id: string | undefined
  readonly state: string | undefined
  readonly error: string | undefined
  readonly tlvId: string | undefined
  readonly tlvState: number | undefined
}

export interface Peer {
  readonly session: Session
  readonly bindResponse: Pdu
  readonly receipts: ReceivedReceipt[]
  /** Names of received PDUs in order: `submit_sm_resp`, `deliver_sm` and so on. */
  readonly arrivals: string[]
  readonly closed: Promise<void>
  submit(to: string, text: string | Buffer, fields?: Record<string, unknown>): Promise<Pdu>
  request(
    command: 'enquire_link' | 'unbind' | 'data_sm' | 'query_sm' | 'cancel_sm' | 'replace_sm',
    fields?: Record<string, unknown>,
  ): Promise<Pdu>
  destroy(): void
}

/** The test runner recognizes a timeout by the error name. */
class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError'
}

/** Resolves when the condition holds. The deadline only turns a hang into a failure. */
export async function until(
  condition: () => boolean,
  subject = 'the condition',
  deadlineMs = 30_000,
): Promise<void> {
  const deadline = Date.now() + deadlineMs
  while (!condition()) {
    if (Date.now() > deadline) throw new WaitTimeoutError(`waited ${deadlineMs} ms for ${subject}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

function describeReceipt(pdu: Pdu): ReceivedReceipt {
  const text = String(pdu.short_message?.message || pdu.message_payload?.message || '')
  return {
    command: pdu.command,
    esmClass: pdu.esm_class ?? 0,
    from: pdu.source_addr ?? '',
    to: pdu.destination_addr ?? '',
    text,
    id: /id:(\S+)/.exec(text)?.[1],
    state: /stat:(\S+)/.exec(text)?.[1],
    error: /err:(\S+)/.exec(text)?.[1],
    tlvId: pdu.receipted_message_id,
    tlvState: pdu.message_state,
  }
}

export async function connectPeer(port: number, options: PeerOptions = {}): Promise<Peer> {
  const { bind = 'bind_transceiver', systemId = 'tester', password = 'secret', answer = () => 0 } = options
  const session = connect({ host: '127.0.0.1', port })
  const receipts: ReceivedReceipt[] = []
  const arrivals: string[] = []
  session.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => {
    session.on('close', resolve)
  })
  session.on('pdu', (pdu: Pdu) => {
    arrivals.push(pdu.command)
    if (pdu.command !== 'deliver_sm' && pdu.command !== 'data_sm') return
    const receipt = describeReceipt(pdu)
    receipts.push(receipt)
    const commandStatus = answer(receipt)
    if (commandStatus !== undefined) session.send(pdu.response({ command_status: commandStatus }))
  })
  await once(session, 'connect')
  session.socket.setNoDelay(true)
  const bindResponse = await new Promise<Pdu>((resolve) => {
    session[bind]({ system_id: systemId, password, interface_version: 0x34 }, resolve)
  })
  return {
    session,
    bindResponse,
    receipts,
    arrivals,
    closed,
    submit: (to, text, fields = {}) =>
      new Promise((resolve) => {
        const message = {
          source_addr: '0215881588',
          destination_addr: to,
          registered_delivery: 1,
          data_coding: 0,
          short_message: text,
        }
        session.submit_sm({ ...message, ...fields }, resolve)
      }),
    request: (command, fields = {}) => new Promise((resolve) => session[command](fields, resolve)),
    destroy: () => session.destroy(),
  }
}
