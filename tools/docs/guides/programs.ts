/** Programs other than Node that the files of a page need, by the language of their blocks. */
import { spawnSync } from 'node:child_process'
import type { Step } from './blocks.ts'

interface Program {
  readonly name: string
  /** A command that succeeds if the program is usable. */
  readonly check: readonly [command: string, ...args: string[]]
  /** Debian packages, separated by spaces. */
  readonly packages: string
}

const programs: Readonly<Record<string, Program>> = {
  php: {
    name: 'PHP 8 with curl',
    check: ['php', '-r', 'exit(PHP_MAJOR_VERSION >= 8 && extension_loaded("curl") ? 0 : 1);'],
    packages: 'php-cli php-curl',
  },
  java: {
    name: 'a JDK and Maven',
    check: ['sh', '-c', 'javac -version && mvn -version'],
    packages: 'default-jdk-headless maven',
  },
  python: {
    name: 'Python 3 with venv',
    check: ['python3', '-c', 'import ensurepip, venv'],
    packages: 'python3-venv',
  },
}

/** Returns the missing programs of a page, each with the command that installs it. */
export function findMissingPrograms(
  steps: readonly Step[],
  environment: NodeJS.ProcessEnv = process.env,
): string[] {
  const languages = new Set(steps.flatMap((step) => (step.kind === 'file' ? [step.language] : [])))
  return [...languages]
    .flatMap((language) => programs[language] ?? [])
    .filter(({ check }) => !works(check, environment))
    .map(({ name, packages }) => `${name} (apt-get install ${packages})`)
}

/**
 * Returns why a page that runs Maven is skipped, or null. Maven downloads tens of megabytes, so short
 * runs skip it.
 */
export function findReasonToLeaveOut(
  steps: readonly Step[],
  { short }: { readonly short: boolean },
  environment: NodeJS.ProcessEnv = process.env,
): string | null {
  if (!steps.some((step) => step.kind === 'run' && /^mvn /m.test(step.code))) return null
  if (short) return 'Maven downloads packages for it'
  return works(['mvn', '-version'], environment) ? null : 'requires Maven (apt-get install maven)'
}

function works([command, ...args]: Program['check'], environment: NodeJS.ProcessEnv): boolean {
  return spawnSync(command, args, { env: environment }).status === 0
}
