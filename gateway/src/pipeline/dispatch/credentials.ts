/**
 * The options of a link with its secrets, read once for each start of a route, and whether a secret in a file has changed
 * since. While the new content cannot be read or is invalid, the link stays as it is.
 */
import { createHash } from 'node:crypto'
import { readOptions } from '../../connectors/registry.ts'
import type { Options } from '../../connectors/option-schema.ts'
import { hasFileSecrets } from '../../connectors/secrets.ts'
import type { Log } from '../../platform/log.ts'
import type { RouteShare } from '../../routes/shares.ts'

export interface LinkOptions {
  /** The route that they were read for. */
  readonly route: RouteShare
  /** With secrets and defaults filled in. */
  readonly values: Options
  readonly digest: string
}

/** Throws an error that names what cannot be read or is wrong. */
export function readLinkOptions(route: RouteShare): LinkOptions {
  const values = readOptions(route.protocol, route.options)
  return { route, values, digest: createHash('sha256').update(JSON.stringify(values)).digest('base64') }
}

export class Credentials {
  readonly #current: LinkOptions
  readonly #log: Log
  readonly #mayChange: boolean
  #failing = false

  constructor(current: LinkOptions, log: Log) {
    this.#current = current
    this.#log = log
    this.#mayChange = hasFileSecrets(current.route.options)
  }

  /** What to start the route with again; undefined while nothing has changed. */
  readChanged(): LinkOptions | undefined {
    if (!this.#mayChange) return undefined
    try {
      const read = readLinkOptions(this.#current.route)
      this.#failing = false
      return read.digest === this.#current.digest ? undefined : read
    } catch (error) {
      if (!this.#failing)
        this.#log.warn(
          { reason: (error as Error).message },
          'a secret of the route cannot be read or is invalid; the link keeps the previous one. Correct the file',
        )
      this.#failing = true
      return undefined
    }
  }
}
