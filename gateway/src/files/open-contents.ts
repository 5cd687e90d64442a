/**
 * Bounds the images that are being served: each holds an open file and about 128 KB until its reader has taken it, and anybody may ask
 * for one and not read it. When there are too many, the network with the most of them makes room for others, so that one client cannot
 * keep everybody else from images; between equals the one that was begun first does, if it has had enough time.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { Problem } from '../contract/problem.ts'

export interface ContentLimits {
  readonly perConnection: number
  readonly perProcess: number
  /** How long an answer may take while others wait for its place. */
  readonly patienceMs: number
}

/** 256 answers of 50 ms are 5,000 a second. A client that does not wait for an answer before it asks again is rare. */
export const contentLimits: ContentLimits = { perConnection: 8, perProcess: 256, patienceMs: 10_000 }

export class OpenContents {
  /** The first begun first. */
  readonly #open = new Set<OpenContent>()
  readonly #limits: ContentLimits

  constructor(limits = contentLimits) {
    this.#limits = limits
  }

  /** Of an open connection, until the answer has ended or the connection is closed. Throws A920 when there are too many. */
  take(socket: Socket, response: ServerResponse, network: string): OpenContent {
    const { perConnection, perProcess } = this.#limits
    let own = 0
    for (const open of this.#open) if (open.socket === socket) own += 1
    if (own >= perConnection)
      throw new Problem(
        'A920',
        `Service busy: ${perConnection} images of this connection are being sent; read them and ask again`,
        1,
      )
    if (this.#open.size >= perProcess) this.#makeRoom(network)
    const content = new OpenContent({ socket, response, network }, () => this.#open.delete(content))
    this.#open.add(content)
    return content
  }

  #makeRoom(network: string): void {
    const byNetwork = Map.groupBy(this.#open, (open) => open.network)
    const own = byNetwork.get(network)?.length ?? 0
    const largest = [...byNetwork.values()].reduce((one, other) => (other.length > one.length ? other : one))
    const hasMore = largest.length > own + 1
    const [first] = hasMore ? largest : this.#open
    if (!hasMore && performance.now() - first!.since < this.#limits.patienceMs)
      throw new Problem('A920', 'Service busy: many images are being sent; send the request again', 1)
    first!.cutOff()
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
    // An answer that waits behind another one of its connection need not be closed with it, so both count.
    socket.once('close', this.#end)
    response.once('close', this.#end)
  }

  /** Closes it when the answer ends. False when it has ended already: then it is closed at once, and cannot be sent. */
  hold(content: Readable): boolean {
    this.#content = content
    if (this.#ended) content.destroy()
    return !this.#ended
  }

  /** The reader learns from the closed connection that the image is not complete. The closed connection ends the content. */
  cutOff(): void {
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
