/**
 * Third-party carriers, each started by a small program that uses the library and reports received messages
 * as lines of JSON. Errors name missing programs and how to install them.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import iconv from 'iconv-lite'
import smpp from 'smpp'
import { choosePort } from '../../../../tools/engines/free-ports.ts'
import { nodeSmpp } from '../../support/smpp/independent-peers.ts'
import { waitFor } from '../../support/wait.ts'
import {
  buildGo,
  goPrograms,
  installJars,
  installJasmin,
  jars,
  peerPrograms,
  requirePackage,
} from './install.ts'
import { startJasmin } from './jasmin.ts'

/** A message that a carrier received. */
export interface SeenText {
  readonly dataCoding: number
  readonly esmClass: number
  /** The header in front of the text without its length octet, in hexadecimal. */
  readonly header: string
  readonly text: string
}

export interface Carrier {
  readonly port: number
  readonly texts: readonly SeenText[]
  /**
   * Limits submissions per second; null removes the limit. Carriers without this method throttle recipients
   * that end in 2.
   */
  limit?(perSecond: number | null): Promise<void>
  close(): Promise<void>
}

export interface CarrierKind {
  readonly name: string
  readonly version: string
  /** Sends a reply for recipients that end in 3. */
  readonly replies: boolean
  /** Downloads and builds its programs. Throws an error that names what is missing. */
  readonly prepare?: () => void
  readonly open: () => Promise<Carrier>
}

export const carrierKinds: readonly CarrierKind[] = [
  { name: 'node-smpp', version: '0.5.1', replies: false, open: openNodeSmpp },
  {
    name: 'Net::SMPP',
    version: '1.19',
    replies: false,
    prepare: () => requirePackage('libnet-smpp-perl'),
    open: () => openProgram('perl', [join(import.meta.dirname, '../../support/smpp/smsc.pl')]),
  },
  {
    name: 'jsmpp',
    version: '3.0.1',
    replies: true,
    prepare: installJars,
    open: () => openJava('JsmppCarrier.java'),
  },
  {
    name: 'ch-smpp',
    version: '5.0.9',
    replies: true,
    prepare: installJars,
    open: () => openJava('ChSmppCarrier.java'),
  },
  {
    name: 'go-smpp',
    version: '2894b96e70ba',
    replies: true,
    prepare: buildGo,
    open: () => openProgram(join(goPrograms, 'carrier'), []),
  },
  { name: 'Jasmin', version: '0.11.0', replies: false, prepare: installJasmin, open: openJasmin },
]

async function openNodeSmpp(): Promise<Carrier> {
  const peer = await nodeSmpp()
  return {
    port: peer.port,
    get texts() {
      return peer.submits
    },
    close: () => peer.close(),
  }
}

/** Jasmin in front of node-smpp, which reports what arrived. */
async function openJasmin(): Promise<Carrier> {
  const behind = await openNodeSmpp()
  const { port } = behind
  const jasmin = await startJasmin({ port, systemId: 'jasmin', password: 'secret08' })
  return {
    port: jasmin.smppPort,
    get texts() {
      return behind.texts
    },
    limit: (perSecond) => jasmin.limitUser(perSecond),
    async close() {
      await jasmin.close()
      await behind.close()
    },
  }
}

async function openJava(source: string): Promise<Carrier> {
  const port = String(await choosePort())
  return openProgram('java', ['-cp', join(jars, '*'), join(peerPrograms, 'java', source), port])
}

/** Decodes the text with third-party decoders. */
function readText(octets: Buffer, dataCoding: number, esmClass: number): Pick<SeenText, 'header' | 'text'> {
  const headerBytes = (esmClass & 0x40) === 0 ? 0 : 1 + octets[0]!
  const rest = octets.subarray(headerBytes)
  const encoding = { 3: 'latin1', 8: 'utf16-be', 14: 'cp949' }[dataCoding]
  return {
    header: octets.subarray(1, headerBytes).toString('hex'),
    text: encoding === undefined ? smpp.encodings.ASCII.decode(rest) : iconv.decode(rest, encoding),
  }
}

async function openProgram(command: string, args: readonly string[]): Promise<Carrier> {
  const texts: SeenText[] = []
  let port = 0
  let errors = ''
  const child: ChildProcess = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let ended = false
  child.on('error', (error) => (errors += error.message))
  child.on('close', () => (ended = true))
  child.stderr!.on('data', (chunk: Buffer) => (errors = `${errors}${chunk.toString()}`.slice(-2_000)))
  createInterface(child.stdout!).on('line', (line) => {
    // Libraries print other lines.
    if (!line.startsWith('{')) return
    const report = JSON.parse(line) as Record<string, unknown>
    if (report['event'] === 'listening') port = Number(report['port'])
    if (report['event'] !== 'submit') return
    const { dataCoding, esmClass, octets } = report as Record<'dataCoding' | 'esmClass', number> & {
      octets: string
    }
    texts.push({ dataCoding, esmClass, ...readText(Buffer.from(octets, 'hex'), dataCoding, esmClass) })
  })
  await waitFor(`${command} to listen`, () => port > 0 || ended, { timeoutMs: 180_000 })
  if (port === 0) throw new Error(`${command} did not start: ${errors}`)
  return {
    port,
    texts,
    async close() {
      if (ended) return
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
    },
  }
}
