/**
 * Terminates TLS in front of an engine and forwards the bytes, for engines that are slow to start with TLS.
 */
import { readFileSync } from 'node:fs'
import { connect, type AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import type { CertificateFiles } from './certificate-authority.ts'
import { addCleanup } from '../cleanup.ts'

export interface TlsProxy {
  readonly port: number
  /**
   * Uses other files for new connections. `clientCa` replaces the authority of client certificates; it has no
   * effect if the proxy was started without one.
   */
  use(files: CertificateFiles, clientCa?: string): void
  /** Closes open connections. */
  cut(): void
}

export async function startTlsProxy(
  files: CertificateFiles,
  to: { host: string; port: number },
  /** Clients must present a certificate of this authority. */
  clientCa?: string,
): Promise<TlsProxy> {
  const read = ({ cert, key }: CertificateFiles) => ({ cert: readFileSync(cert), key: readFileSync(key) })
  const clientTls = clientCa !== undefined && { ca: readFileSync(clientCa), requestCert: true }
  const sockets = new Set<TLSSocket>()
  const server = createServer({ ...read(files), ...clientTls }, (socket) => {
    const engine = connect(to)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.pipe(engine).pipe(socket)
    for (const [one, other] of [
      [socket, engine],
      [engine, socket],
    ] as const)
      one.on('error', () => undefined).on('close', () => other.destroy())
    addCleanup(() => void socket.destroy())
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  addCleanup(() => void server.close())
  return {
    port: (server.address() as AddressInfo).port,
    use: (next, nextCa = clientCa) =>
      server.setSecureContext({ ...read(next), ...(nextCa && { ca: readFileSync(nextCa) }) }),
    cut() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
