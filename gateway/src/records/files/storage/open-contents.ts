/**
 * Limits the images that are being served: each holds an open file and about 128 KB until its reader has
 * received it, and any client can request one and not read it. When there are too many, the network with the
 * most of them gives way to a network with at least two fewer, so that one client cannot block all others.
 * Otherwise the oldest image gives way, after a minimum time.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { Problem } from '../../../contract/problem.ts'

export interface ContentLimits {
  readonly perConnection: number
  readonly perProcess: number
  /** Milliseconds for which a response is not cancelled in favour of others. */
  readonly patienceMs: number
}

/** 256 responses of 50 ms are 5,000 per second. Few clients send further requests before the response. */
export const contentLimits: ContentLimits = { perConnection: 8, perProcess: 256, patienceMs: 10_000 }

export class OpenContents {
  /** Open contents, oldest first. */
  readonly #open = new Set<OpenContent>()
  readonly #limits: ContentLimits

  constructor(limits = contentLimits) {
    this.#limits = limits
  }

  /**
   * Registers a response until it has ended or the connection is closed. Throws A920 if there are too many.
   */
  open(socket: Socket, response: ServerResponse, network: string): OpenContent {
    const { perConnection, perProcess } = this.#limits
    let openHere = 0
    for (const open of this.#open) if (open.socket === socket) openHere += 1
    if (openHere >= perConnection)
      throw new Problem(
        'A920',
        `Service busy: ${perConnection} images of this connection are being sent; read them, then retry`,
        1,
      )
    if (this.#open.size >= perProcess) this.#makeRoom(network)
    const content = new OpenContent({ socket, response, network }, () => this.#open.delete(content))
    this.#open.add(content)
    return content
  }

  #makeRoom(network: string): void {
    const byNetwork = Map.groupBy(this.#open, (open) => open.network)
    const openOfNetwork = byNetwork.get(network)?.length ?? 0
    const largest = [...byNetwork.values()].reduce((left, right) =>
      right.length > left.length ? right : left,
    )
    const hasMore = largest.length > openOfNetwork + 1
    const [first] = hasMore ? largest : this.#open
    if (!hasMore && performance.now() - first!.since < this.#limits.patienceMs)
      throw new Problem('A920', 'Service busy: many images are being sent; retry', 1)
    first!.abort()
  }
}

interface Reader {
  readonly socket: Socket
  readonly response: ServerResponse
  readonly network: string
}

export class OpenContent {
  readonly socket: Socket
  readonly network: string
  readonly since = performance.now()
  readonly #response: ServerResponse
  readonly #giveBack: () => void
  #content: Readable | undefined
  #ended = false

  constructor({ socket, response, network }: Reader, giveBack: () => void) {
    this.socket = socket
    this.network = network
    this.#response = response
    this.#giveBack = giveBack
    // A response that waits behind another one of its connection need not be closed with it, so both events
    // count.
    socket.once('close', this.#end)
    response.once('close', this.#end)
  }

  /**
   * Closes `content` when the response ends. Returns false if it has already ended: `content` is then closed
   * immediately and cannot be sent.
   */
  attach(content: Readable): boolean {
    this.#content = content
    if (this.#ended) content.destroy()
    return !this.#ended
  }

  /** Closes the connection, which tells the reader that the image is incomplete and ends the content. */
  abort(): void {
    this.socket.destroy()
    this.#giveBack()
  }

  readonly #end = (): void => {
    if (this.#ended) return
    this.#ended = true
    this.socket.off('close', this.#end)
    this.#response.off('close', this.#end)
    this.#content?.destroy()
    this.#giveBack()
  }
}
