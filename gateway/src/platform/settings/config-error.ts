/** A missing or invalid setting. The command line prints its message and exits with 2. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError'
}
