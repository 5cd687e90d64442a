/**
 * Connection options of the PostgreSQL driver, from the URL. The driver reads the TLS files that the URL
 * names in the constructor of a client, which the pool calls from an event: a missing file during a
 * certificate replacement would end the process. Therefore the files are read here, like those of RabbitMQ
 * and Redis.
 */
import type { ClientConfig } from 'pg'
import { databaseFileSettings, openLink, type LinkTls, type OnUnusable } from '../settings/tls.ts'

export type DatabaseLink = Pick<ClientConfig, 'connectionString' | 'ssl' | 'sslnegotiation'>

/** The driver gives these parameters precedence over its options. */
const tlsParameters = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation']

/** Throws if the files cannot be used now. */
export function databaseLink(url: string, onUnusable: OnUnusable = () => undefined): DatabaseLink {
  if (!URL.canParse(url)) return { connectionString: url }
  const parsed = new URL(url)
  // The driver uses the last value of a parameter that is given twice.
  const parameter = (name: string): string | undefined => parsed.searchParams.getAll(name).at(-1) || undefined
  const files = {
    caFile: parameter('sslrootcert'),
    certFile: parameter('sslcert'),
    keyFile: parameter('sslkey'),
  }
  const hasFiles = Object.values(files).some((file) => file !== undefined)
  const mode = parameter('sslmode')
  // The driver reads no files for a URL that names a socket.
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

/** Keeps the getter: a copy would read the files only once. */
function withoutVerification(ssl: LinkTls): LinkTls & { readonly rejectUnauthorized: false } {
  return Object.defineProperty({ rejectUnauthorized: false } as const, 'secureContext', {
    enumerable: true,
    get: () => ssl.secureContext,
  })
}
