import { createHash } from 'node:crypto'
import { readOptions } from '../../carriers/connectors/registry.ts'
import type { Options } from '../../carriers/connectors/options/option-schema.ts'
import { hasFileSecrets } from '../../carriers/connectors/options/secrets.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { RouteShare } from '../../carriers/routes/shares.ts'

export interface RouteLinkOptions {
  /** The route that the options were read for. */
  readonly route: RouteShare
  /** Options with secrets and defaults filled in. */
  readonly values: Options
  readonly digest: string
}

/** Reads the options of a link. Throws an error that names the option that cannot be read or is invalid. */
export function readLinkOptions(route: RouteShare): RouteLinkOptions {
  const values = readOptions(route.protocol, route.options)
  return { route, values, digest: createHash('sha256').update(JSON.stringify(values)).digest('base64') }
}

/**
 * Detects changed secrets in files, for a route that is running with its current options. While the new content
 * cannot be read or is invalid, the link stays as it is.
 */
export class CredentialWatch {
  readonly #current: RouteLinkOptions
  readonly #log: Log
  readonly #mayChange: boolean
  #failing = false

  constructor(current: RouteLinkOptions, log: Log) {
    this.#current = current
    this.#log = log
    this.#mayChange = hasFileSecrets(current.route.options)
  }

  /** Returns the options to restart the route with, or undefined if nothing has changed. */
  readChanged(): RouteLinkOptions | undefined {
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
