// Which release of the engines a command uses: those of the machine (Debian 12), or those of Debian 13 (`today`). The
// choice is kept in POSTERN_ENGINES, so that programs started by the command make the same one.

export const releases = ['installed', 'today'] as const
export type Release = (typeof releases)[number]

function isRelease(text: string): text is Release {
  return (releases as readonly string[]).includes(text)
}

export function chosenRelease(): Release {
  const chosen = process.env.POSTERN_ENGINES || 'installed'
  if (!isRelease(chosen)) throw new Error(`Engines must be one of ${releases.join(', ')}, not '${chosen}'`)
  return chosen
}

export function usesDebian13(): boolean {
  return chosenRelease() === 'today'
}

/**
 * Takes `--engines <release>` out of the arguments of a command and remembers the choice. URLs of other engines in the
 * environment do not apply to it and are removed.
 */
export function takeRelease(args: readonly string[]): string[] {
  const at = args.findIndex((word) => word === '--engines' || word.startsWith('--engines='))
  if (at < 0) return [...args]
  const [, joined] = args[at]!.split('=')
  const given = joined ?? args[at + 1]
  if (!given) throw new Error(`--engines must be followed by one of ${releases.join(', ')}`)
  process.env.POSTERN_ENGINES = given
  if (chosenRelease() === 'today') {
    for (const name of ['POSTERN_DATABASE_URL', 'POSTERN_BROKER_URLS', 'POSTERN_REDIS_URL']) {
      Reflect.deleteProperty(process.env, name)
    }
  }
  return args.toSpliced(at, joined === undefined ? 2 : 1)
}
