/** An installation with Compose in its own folder, and its page, whose commands run as typed. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readSteps } from '../../docs/guides/blocks.ts'
import { openShell, type Shell } from '../../docs/guides/shell.ts'
import { projectRoot } from '../../engines/paths.ts'
import type { Docker } from './docker.ts'

const execute = promisify(execFile)

export interface Service {
  readonly name: string
  readonly service: string
  readonly state: string
  readonly health: string
}

export class Installation {
  readonly directory = mkdtempSync(join(tmpdir(), 'postern-compose-'))
  /** Number of commands of the pages that ran. */
  commands = 0
  /** Key of the sandbox account. */
  key = ''
  /** Key of the operator; empty before the first one. */
  operatorKey = ''
  readonly #docker: Docker
  readonly #shell: Shell
  readonly #scratch = mkdtempSync(join(tmpdir(), 'postern-compose-shell-'))

  constructor(docker: Docker) {
    this.#docker = docker
    const archive = execFileSync('git', ['archive', 'HEAD'], {
      cwd: projectRoot,
      maxBuffer: 512 * 1024 * 1024,
    })
    execFileSync('tar', ['-x', '-C', this.directory], { input: archive })
    this.#shell = openShell(this.directory, docker.environment, this.#scratch)
  }

  /** Runs the shell blocks below a heading of a page, or one of them, and returns what they printed. */
  async follow(page: string, heading: string, only?: number): Promise<string> {
    const text = readFileSync(join(projectRoot, 'docs/operations', page), 'utf8')
    let printed = ''
    for (const [at, step] of readSteps(sectionOf(text, heading)).entries()) {
      if (step.kind !== 'run' || (only !== undefined && only !== at)) continue
      for (const command of splitCommands(step.code)) {
        const output = await this.#shell.run(this.#fillIn(command))
        this.commands += 1
        printed += output
        this.key = /TOKEN=(postern_[\w-]+)/.exec(output)?.[1] ?? this.key
        this.operatorKey = /\b(postern_op_[\w-]+)/.exec(output)?.[1] ?? this.operatorKey
      }
    }
    return printed
  }

  /** Replaces the keys of a page, as a reader does. */
  #fillIn(code: string): string {
    return code
      .replaceAll(/postern_op_…|(?<=POSTERN_OPERATOR_KEY=)…/g, this.operatorKey)
      .replaceAll('postern_…', this.key)
  }

  /** Runs a line in the shell of the page. */
  shell(code: string): Promise<string> {
    return this.#shell.run(code)
  }

  docker(...args: string[]): Promise<string> {
    return this.#execute(args)
  }

  compose(...args: string[]): Promise<string> {
    return this.#execute(['compose', ...args])
  }

  async #execute(args: readonly string[]): Promise<string> {
    const options = { cwd: this.directory, env: this.#docker.environment, maxBuffer: 256 * 1024 * 1024 }
    try {
      return (await execute('docker', args, options)).stdout.trim()
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string }
      throw new Error(`docker ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
    }
  }

  /** Runs a command of the gateway as the operator. */
  postern(...args: string[]): Promise<string> {
    const key = this.operatorKey === '' ? [] : ['-e', `POSTERN_OPERATOR_KEY=${this.operatorKey}`]
    return this.compose('run', '--rm', '--no-deps', ...key, 'postern', ...args)
  }

  /** Runs a statement as the owner of the database; returns lines of values. */
  async sql(statement: string, server = 'postgres'): Promise<string[]> {
    const options = ['--tuples-only', '--no-align', '--username=postern']
    return (await this.compose('exec', '-T', server, 'psql', ...options, '--command', statement)).split('\n')
  }

  async services(): Promise<Service[]> {
    const listed = await this.compose('ps', '--all', '--format', 'json')
    return listed
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const { Name, Service, State, Health } = JSON.parse(line) as Record<string, string>
        return { name: Name!, service: Service!, state: State!, health: Health! }
      })
  }

  /** Address of a container from this machine. */
  addressOf(service: string): Promise<string> {
    const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}'
    return this.docker('inspect', '--format', format, `postern-${service}-1`)
  }

  setting(name: string): string {
    const lines = readFileSync(join(this.directory, '.env'), 'utf8').split('\n')
    return lines.findLast((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
  }

  async remove(): Promise<void> {
    await this.#shell.stop()
    await this.compose('--profile', '*', 'down', '--volumes', '--timeout', '1')
    for (const folder of [this.directory, this.#scratch]) rmSync(folder, { recursive: true, force: true })
  }
}

export function sectionOf(text: string, heading: string): string {
  const lines = text.split('\n')
  const from = lines.findIndex((line) => line.replace(/^#+ /, '') === heading && line.startsWith('#'))
  if (from < 0) throw new Error(`heading '${heading}' not found`)
  const length = lines.slice(from + 1).findIndex((line) => line.startsWith('#') && !line.startsWith('# '))
  return lines.slice(from, length < 0 ? undefined : from + 1 + length).join('\n')
}

/** A command ends with its line, unless the line ends with a backslash or a here-document follows. */
export function splitCommands(code: string): string[] {
  return code.match(/(?:.*<<END\n(?:.*\n)*?END|(?:.*\\\n)*.*[^\\\n])\n/g)?.map((line) => line.trim()) ?? []
}
