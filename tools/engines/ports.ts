// The ports of one set of services: a fixed block, so that several checkouts on one machine each have their
// own. All are below 32768, where the kernel chooses no port for outgoing connections: a restarting engine
// always finds its port free.

import { createServer } from 'node:net'

export const host = '127.0.0.1'
export const maxNodes = 3
const blocks = 9
/** Sets take the first free block by default, so this one is usually free. */
export const lastBlock = blocks - 1

export interface NodePorts {
  readonly amqp: number
  readonly distribution: number
  readonly metrics: number
}

export interface Ports {
  readonly postgres: number
  /** The second PostgreSQL of a pair, and HAProxy, which forwards to the primary. */
  readonly postgres2: number
  readonly haproxy: number
  readonly redis: number
  readonly epmd: number
  /** First of the eleven ports that rabbitmqctl may listen on. */
  readonly control: number
  readonly nodes: readonly NodePorts[]
}

/** Block 0 is 21xxx, block 1 is 22xxx, … block 8 is 29xxx. */
export function computePorts(block: number): Ports {
  const base = 21_000 + block * 1000
  return {
    postgres: base + 432,
    postgres2: base + 433,
    haproxy: base + 434,
    redis: base + 379,
    epmd: base + 369,
    control: base + 800,
    nodes: Array.from({ length: maxNodes }, (_, index) => ({
      amqp: base + 671 + index,
      distribution: base + 771 + index,
      metrics: base + 692 + index,
    })),
  }
}

export function listeningPorts(ports: Ports): number[] {
  return [
    ports.postgres,
    ports.postgres2,
    ports.haproxy,
    ports.redis,
    ports.epmd,
    ...ports.nodes.flatMap((node) => [node.amqp, node.distribution, node.metrics]),
  ]
}

/** Returns the first block whose ports are all free, trying `preferred` first. */
export async function chooseBlock(
  preferred: number,
  isFree: (port: number) => Promise<boolean> = isPortFree,
): Promise<number> {
  const candidates = [preferred, ...Array.from({ length: blocks }, (_, block) => block)]
  for (const block of candidates) {
    const free = await Promise.all(listeningPorts(computePorts(block)).map(isFree))
    if (free.every(Boolean)) return block
  }
  throw new Error(
    `no free block of ports between 21000 and 29999; stop one of the ${blocks} sets of services`,
  )
}

export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}
