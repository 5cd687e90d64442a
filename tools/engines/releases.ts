// Chooses the release of the engines: installed on the machine (Debian 12), Debian 13 (`today`) or the next
// Debian (`next`). The choice is kept in POSTERN_ENGINES, so that child processes use the same one.

export const releases = ['installed', 'today', 'next'] as const
export type EngineRelease = (typeof releases)[number]

function isRelease(text: string): text is EngineRelease {
  return (releases as readonly string[]).includes(text)
}

export function chosenRelease(): EngineRelease {
  const chosen = process.env.POSTERN_ENGINES || 'installed'
  if (!isRelease(chosen)) throw new Error(`Engines must be one of ${releases.join(', ')}, not '${chosen}'`)
  return chosen
}

/** A Debian whose engines run in their own root folder. */
export interface DebianRoot {
  readonly suite: string
  readonly engines: string
  readonly postgresPackage: string
  /**
   * Marks a testing release, whose mirrors may have an index that is some days too old. Signatures are still
   * checked.
   */
  readonly isTesting?: true
}

const roots: Readonly<Record<Exclude<EngineRelease, 'installed'>, DebianRoot>> = {
  today: {
    suite: 'trixie',
    engines: 'RabbitMQ 4.0, PostgreSQL 17, Valkey 8.1 of Debian 13',
    postgresPackage: 'postgresql-17',
  },
  next: {
    suite: 'forky',
    engines: 'RabbitMQ 4.3, PostgreSQL 18, Valkey 9 of the next Debian',
    postgresPackage: 'postgresql-18',
    isTesting: true,
  },
}

/** Returns undefined for the installed engines. */
export function debianRoot(): DebianRoot | undefined {
  const chosen = chosenRelease()
  return chosen === 'installed' ? undefined : roots[chosen]
}

/**
 * Removes `--engines <release>` from the arguments of a command and stores the choice. URLs of other engines
 * in the environment do not apply to it and are removed.
 */
export function extractRelease(args: readonly string[]): string[] {
  const at = args.findIndex((word) => word === '--engines' || word.startsWith('--engines='))
  if (at < 0) return [...args]
  const [, joined] = args[at]!.split('=')
  const release = joined ?? args[at + 1]
  if (!release) throw new Error(`--engines must be followed by one of ${releases.join(', ')}`)
  process.env.POSTERN_ENGINES = release
  if (debianRoot() !== undefined) {
    for (const name of ['POSTERN_DATABASE_URL', 'POSTERN_BROKER_URLS', 'POSTERN_REDIS_URL']) {
      Reflect.deleteProperty(process.env, name)
    }
  }
  return args.toSpliced(at, joined === undefined ? 2 : 1)
}
