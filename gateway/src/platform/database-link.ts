/**
 * What the PostgreSQL driver is given for a connection, from the URL. The driver reads the files that the URL names in the
 * constructor of a client, which the pool calls from an event: a file that is missing while certificates are replaced would end the
 * process. So they are read here, as those of RabbitMQ and Redis. What is verified is what the driver makes of the URL.
 */
import type { ClientConfig } from 'pg'
import { databaseFileSettings, openLink, type LinkTls, type OnUnusable } from './tls.ts'

export type DatabaseLink = Pick<ClientConfig, 'connectionString' | 'ssl' | 'sslnegotiation'>

/** The driver takes the TLS of the URL before that of its other options. */
const tlsParameters = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation']

/** Throws when the files cannot be used now. */
export function databaseLink(url: string, onUnusable: OnUnusable = () => undefined): DatabaseLink {
  if (!URL.canParse(url)) return { connectionString: url }
  const parsed = new URL(url)
  // Of a name that is given twice the driver takes the last.
  const parameter = (name: string): string | undefined => parsed.searchParams.getAll(name).at(-1) || undefined
  const files = {
    ...{ caFile: parameter('sslrootcert'), certFile: parameter('sslcert'), keyFile: parameter('sslkey') },
  }
  const hasFiles = Object.values(files).some((file) => file !== undefined)
  const mode = parameter('sslmode')
  // The driver reads no file of a URL that names a socket.
  if (!hasFiles || parsed.protocol === 'socket:') return { connectionString: url }
  const negotiation = parameter('sslnegotiation')
  for (const name of tlsParameters) parsed.searchParams.delete(name)
  const link = {
    connectionString: parsed.href,
    ...(negotiation === undefined ? {} : { sslnegotiation: negotiation as 'postgres' | 'direct' }),
  }
  if (mode === 'disable') return { ...link, ssl: false }
  const ssl = openLink(databaseFileSettings, files, onUnusable)
  return { ...link, ssl: isUnverified(mode, parameter('uselibpqcompat')) ? withoutVerification(ssl) : ssl }
}

function isUnverified(mode: string | undefined, libpqCompatible: string | undefined): boolean {
  return mode === 'no-verify' && libpqCompatible !== 'true'
}

/** Not a copy: that would read the files once and for all. */
function withoutVerification(ssl: LinkTls): LinkTls & { readonly rejectUnauthorized: false } {
  return Object.defineProperty({ rejectUnauthorized: false } as const, 'secureContext', {
    enumerable: true,
    get: () => ssl.secureContext,
  })
}
