/**
 * Two carriers that share no code with the gateway: node-smpp in this process, and Debian's Net::SMPP as a Perl program.
 * Both report what they received in the same form, so that one set of tests serves both.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import iconv from 'iconv-lite'
import type { NodePdu, NodeSession } from 'smpp'
import smpp from 'smpp'
import { waitFor } from '../wait.ts'

export interface SeenSubmit {
  readonly destination: string
  readonly destinationKind: readonly number[]
  readonly source: string
  readonly sourceKind: readonly number[]
  readonly esmClass: number
  readonly dataCoding: number
  readonly registeredDelivery: number
  /** The concatenation header without its length octet, in hexadecimal. */
  readonly header: string
  readonly text: string
}

export interface IndependentPeer {
  readonly port: number
  readonly binds: { systemId: string; password: string; version: number }[]
  readonly submits: SeenSubmit[]
  /** Events by name, counted: enquire_link, enquire_link_resp, deliver_sm_resp:0, unbind, unexpected. */
  readonly seen: Map<string, number>
  close(): Promise<void>
}

const decodeText = (octets: Buffer, dataCoding: number): string =>
  dataCoding === 8
    ? iconv.decode(octets, 'utf16-be')
    : dataCoding === 14
      ? iconv.decode(octets, 'cp949')
      : smpp.encodings.ASCII.decode(octets)

function counter(): { seen: Map<string, number>; count: (event: string) => void } {
  const seen = new Map<string, number>()
  return { seen, count: (event) => seen.set(event, (seen.get(event) ?? 0) + 1) }
}

export async function nodeSmpp(): Promise<IndependentPeer> {
  const { seen, count } = counter()
  const binds: IndependentPeer['binds'] = []
  const submits: SeenSubmit[] = []
  const sessions = new Set<NodeSession>()

  const act = (session: NodeSession, pdu: NodePdu & { system_id?: string; password?: string }): void => {
    switch (pdu.command) {
      case 'bind_transceiver':
        binds.push({
          systemId: pdu.system_id ?? '',
          password: pdu.password ?? '',
          version: pdu.interface_version,
        })
        session.send(pdu.response({ system_id: 'node', sc_interface_version: 0x34 }))
        session.enquire_link(() => count('enquire_link_resp'))
        return
      case 'enquire_link':
      case 'unbind':
        count(pdu.command)
        session.send(pdu.response())
        return
      case 'submit_sm':
        submits.push(seenByNode(pdu))
        answerSubmit(session, pdu)
        return
      case 'enquire_link_resp':
      case 'deliver_sm_resp':
        return
      default:
        count('unexpected')
    }
  }
  const answerSubmit = (session: NodeSession, pdu: NodePdu): void => {
    if (pdu.destination_addr.endsWith('2')) return void session.send(pdu.response({ command_status: 0x58 }))
    const id = `node-${pdu.sequence_number}`
    session.send(pdu.response({ message_id: id }))
    const text = `id:${id} sub:001 dlvrd:001 submit date:2603041405 done date:2603041406 stat:DELIVRD err:000 text:`
    session.deliver_sm(
      {
        source_addr: pdu.destination_addr,
        destination_addr: pdu.source_addr,
        esm_class: 0x04,
        short_message: text,
        receipted_message_id: id,
        message_state: 2,
      },
      (answer) => count(`deliver_sm_resp:${answer.command_status}`),
    )
  }

  const server = smpp.createServer((session) => {
    sessions.add(session)
    session.on('pdu', (pdu) => act(session, pdu))
    session.on('error', () => session.close())
    session.on('close', () => sessions.delete(session))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    binds,
    submits,
    seen,
    async close() {
      server.close()
      for (const session of sessions) session.socket.destroy()
      await once(server, 'close')
    },
  }
}

function seenByNode(pdu: NodePdu): SeenSubmit {
  const { message, udh } = pdu.short_message
  return {
    destination: pdu.destination_addr,
    destinationKind: [pdu.dest_addr_ton, pdu.dest_addr_npi],
    source: pdu.source_addr,
    sourceKind: [pdu.source_addr_ton, pdu.source_addr_npi],
    esmClass: pdu.esm_class,
    dataCoding: pdu.data_coding,
    registeredDelivery: pdu.registered_delivery,
    header: Buffer.concat(udh ?? []).toString('hex'),
    text: typeof message === 'string' ? message : decodeText(message, pdu.data_coding),
  }
}

export async function netSmpp(): Promise<IndependentPeer> {
  const { seen, count } = counter()
  const binds: IndependentPeer['binds'] = []
  const submits: SeenSubmit[] = []
  let port = 0
  let errors = ''
  let ended = false

  const perl = spawn('perl', [join(import.meta.dirname, 'smsc.pl')], { stdio: ['ignore', 'pipe', 'pipe'] })
  perl.on('error', (error) => (errors += error.message))
  perl.on('close', () => (ended = true))
  perl.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  createInterface(perl.stdout).on('line', (line) => {
    const report = JSON.parse(line) as Record<string, unknown> & { event: string }
    if (report.event === 'listening') port = report['port'] as number
    else if (report.event === 'bind') binds.push(report as unknown as IndependentPeer['binds'][number])
    else if (report.event === 'submit')
      submits.push(seenByPerl(report as unknown as SeenSubmit & { octets: string }))
    else
      count(report.event === 'deliver_sm_resp' ? `deliver_sm_resp:${String(report['status'])}` : report.event)
  })
  await waitFor('the Perl carrier', () => port > 0 || ended)
  if (port === 0) {
    throw new Error(
      `the Perl carrier did not start: install the packages perl and libnet-smpp-perl\n${errors}`,
    )
  }
  return {
    port,
    binds,
    submits,
    seen,
    async close() {
      const closed = once(perl, 'close')
      perl.kill()
      await closed
    },
  }
}

function seenByPerl({ octets, ...report }: SeenSubmit & { octets: string }): SeenSubmit {
  const bytes = Buffer.from(octets, 'hex')
  const headerBytes = (report.esmClass & 0x40) === 0 ? 0 : 1 + bytes[0]!
  return {
    destination: report.destination,
    destinationKind: report.destinationKind,
    source: report.source,
    sourceKind: report.sourceKind,
    esmClass: report.esmClass,
    dataCoding: report.dataCoding,
    registeredDelivery: report.registeredDelivery,
    header: bytes.subarray(1, headerBytes).toString('hex'),
    text: decodeText(bytes.subarray(headerBytes), report.dataCoding),
  }
}
