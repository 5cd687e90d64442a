/** Third-party clients by name. Errors name missing programs and how to install them. */
import { join } from 'node:path'
import { openClientProgram, type Client } from './client-program.ts'
import {
  buildGo,
  goPrograms,
  installJars,
  installJasmin,
  installPython,
  jars,
  peerPrograms,
  python,
  requirePackage,
} from './install.ts'
import { openJasminClient } from './jasmin-client.ts'
import { openKannel } from './kannel.ts'
import type { codedTexts } from './texts.ts'

export interface ClientKind {
  readonly name: string
  readonly version: string
  /** Codings that it cannot send. */
  readonly lacks?: readonly (keyof typeof codedTexts)[]
  /** Retries throttled messages. */
  readonly resends?: boolean
  /** Downloads and builds its programs. Throws an error that names what is missing. */
  readonly prepare?: () => void
  /** Resolves when it has bound to the port of 127.0.0.1. */
  readonly open: (port: number, systemId: string, password: string) => Promise<Client>
}

const program =
  (command: string, ...args: string[]): ClientKind['open'] =>
  (...login) =>
    openClientProgram(command, args, login)

export const clientKinds: readonly ClientKind[] = [
  {
    name: 'Kannel',
    version: '1.4.5',
    resends: true,
    // Kannel sends GSM 03.38, UCS-2 or binary data.
    lacks: ['Latin-1', 'EUC-KR'],
    prepare: () => requirePackage('kannel'),
    open: openKannel,
  },
  { name: 'Jasmin', version: '0.11.0', resends: true, prepare: installJasmin, open: openJasminClient },
  {
    name: 'jsmpp',
    version: '3.0.1',
    prepare: installJars,
    open: program('java', '-cp', join(jars, '*'), join(peerPrograms, 'java/JsmppClient.java')),
  },
  { name: 'gosmpp', version: '0.3.1', prepare: buildGo, open: program(join(goPrograms, 'gosmpp')) },
  { name: 'go-smpp', version: '2894b96e70ba', prepare: buildGo, open: program(join(goPrograms, 'go-smpp')) },
  {
    name: 'smpplib',
    version: '2.2.4',
    prepare: installPython,
    open: program(python, join(peerPrograms, 'python/smpplib_client.py')),
  },
  {
    name: 'aiosmpplib',
    version: '0.7.4',
    prepare: installPython,
    open: program(python, join(peerPrograms, 'python/aiosmpplib_client.py')),
  },
  {
    name: 'Net::SMPP',
    version: '1.19',
    prepare: () => requirePackage('libnet-smpp-perl'),
    open: program('perl', join(peerPrograms, 'perl/client.pl')),
  },
  {
    name: 'node-smpp',
    version: '0.5.1',
    open: program(process.execPath, join(peerPrograms, 'node/client.ts')),
  },
]
