// Which engines a command uses: those whose URLs the caller gives in the environment, or the project's own.

const variables = ['POSTERN_DATABASE_URL', 'POSTERN_BROKER_URLS', 'POSTERN_REDIS_URL'] as const

type Variable = (typeof variables)[number]
export type ServiceEnvironment = Readonly<Record<Variable, string>>

export interface ChosenServices {
  /** Undefined when the project's own services are to be used. */
  readonly given: ServiceEnvironment | undefined
  /** Why URLs in the environment are not used, for the operator. */
  readonly warning?: string
}

/**
 * `own` are the URLs of the project's own set, if there is one. A shell that has read the file of `npm run dev` has
 * those in its environment, perhaps long after the services were stopped; they are started again in that case.
 */
export function chooseServices(
  environment: NodeJS.ProcessEnv,
  own: ServiceEnvironment | undefined,
): ChosenServices {
  const set = variables.filter((name) => environment[name])
  if (set.length === 0) return { given: undefined }
  const missing = variables.filter((name) => !environment[name])
  if (missing.length > 0) {
    return {
      given: undefined,
      warning:
        `Not all engine URLs are set: ${missing.join(', ')} missing. ${set.join(', ')} ignored; ` +
        "using the project's own services.",
    }
  }
  const given = Object.fromEntries(variables.map((name) => [name, environment[name]])) as ServiceEnvironment
  const isOwn = own !== undefined && variables.every((name) => given[name] === own[name])
  return { given: isOwn ? undefined : given }
}

/** Hosts and ports, without user names and passwords. */
export function describeServices(services: ServiceEnvironment): string {
  const place = (url: string): string => {
    const { hostname, port, pathname } = new URL(url)
    return `${hostname}${port === '' ? '' : `:${port}`}${pathname === '/' ? '' : pathname}`
  }
  const [database, brokers, redis] = variables.map((name) => services[name].split(',').map(place).join(', '))
  return `PostgreSQL ${database}, RabbitMQ ${brokers}, Redis ${redis}`
}
