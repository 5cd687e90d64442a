/** Runs a command line in the process of the test and returns what it prints. */
import { run } from '../../src/commands/run.ts'

export interface CommandOutput {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Nobody is signed in to an admin API, whoever runs the tests. */
const noProfile = { XDG_CONFIG_HOME: '/nonexistent', POSTERN_ADMIN_URL: '' }

/** `environment` is added to the process's own for the time of the run, so runs must not overlap. */
export async function runCommand(
  environment: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<CommandOutput> {
  const before = { ...process.env }
  let stdout = ''
  let stderr = ''
  Object.assign(process.env, noProfile, environment)
  try {
    const exitCode = await run(args, {
      out: (text) => void (stdout += text),
      err: (text) => void (stderr += text),
    })
    return { exitCode, stdout, stderr }
  } finally {
    for (const name of Object.keys(process.env))
      if (!(name in before)) Reflect.deleteProperty(process.env, name)
    Object.assign(process.env, before)
  }
}
