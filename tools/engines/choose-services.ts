// Chooses the engines of a command: those whose URLs are in the environment, or the project's own.

const variables = ['POSTERN_DATABASE_URL', 'POSTERN_BROKER_URLS', 'POSTERN_REDIS_URL'] as const

type Variable = (typeof variables)[number]
export type ServiceEnvironment = Readonly<Record<Variable, string>>

export interface ChosenServices {
  /** URLs from the environment; undefined to use the project's own services. */
  readonly external: ServiceEnvironment | undefined
  /** Explains to the user why URLs in the environment are ignored. */
  readonly warning?: string
}

/**
 * `ownUrls` are those of the project's own set, if there is one. A shell that has sourced the file of `npm run
 * dev` has these URLs in its environment, possibly long after the services stopped; they are then started
 * again.
 */
export function chooseServices(
  environment: NodeJS.ProcessEnv,
  ownUrls: ServiceEnvironment | undefined,
): ChosenServices {
  const set = variables.filter((name) => environment[name])
  if (set.length === 0) return { external: undefined }
  const missing = variables.filter((name) => !environment[name])
  if (missing.length > 0) {
    return {
      external: undefined,
      warning:
        `Not all engine URLs are set: ${missing.join(', ')} missing. ${set.join(', ')} ignored; ` +
        "using the project's own services.",
    }
  }
  const external = Object.fromEntries(
    variables.map((name) => [name, environment[name]]),
  ) as ServiceEnvironment
  const isOwn = ownUrls !== undefined && variables.every((name) => external[name] === ownUrls[name])
  return { external: isOwn ? undefined : external }
}

/** Returns hosts and ports, without user names and passwords. */
export function describeServices(services: ServiceEnvironment): string {
  const describeUrl = (url: string): string => {
    const { hostname, port, pathname } = new URL(url)
    return `${hostname}${port === '' ? '' : `:${port}`}${pathname === '/' ? '' : pathname}`
  }
  const [database, brokers, redis] = variables.map((name) =>
    services[name].split(',').map(describeUrl).join(', '),
  )
  return `PostgreSQL ${database}, RabbitMQ ${brokers}, Redis ${redis}`
}
