/**
 * `node stand-in.ts kubectl|helm …`: the commands of docs/operations/kubernetes.md on podman. Helm itself renders
 * the chart; its Job runs first, then the pods of each Deployment are replaced one by one: a new pod must be ready
 * before an old one is stopped.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { waitForCondition } from '../../engines/wait-for-condition.ts'
import { helm } from '../chart.ts'
import { kubernetesVersion } from '../kubernetes.ts'
import { readManifest, toPod, type Pod, type Rendered, type Secrets } from './manifest.ts'
import { addressOf, folder, network, podman, podmanWith } from './podman.ts'

interface Revision {
  readonly args: readonly string[]
  readonly yaml: string
}

const releases = join(folder, 'releases')
const secretsFile = join(releases, 'secrets.json')
const revisionsFile = join(releases, 'revisions.json')

const commands: Readonly<Record<string, (args: readonly string[]) => void | Promise<void>>> = {
  'kubectl create': createSecret,
  'kubectl exec': exec,
  'helm install': (args) => apply(render(args)),
  'helm upgrade': (args) => apply(render(upgradeArgs(args))),
  'helm rollback': rollBack,
}

mkdirSync(releases, { recursive: true })
const [program, command, ...rest] = process.argv.slice(2)
try {
  const run = commands[`${program} ${command}`]
  if (run === undefined) throw new Error(`not supported: ${program} ${command}`)
  await run(rest)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}

/** `secret generic NAME --from-literal=KEY=VALUE …` */
function createSecret(args: readonly string[]): void {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { 'from-literal': { type: 'string', multiple: true } },
    allowPositionals: true,
  })
  const entries = (values['from-literal'] ?? []).map((literal) => {
    const at = literal.indexOf('=')
    return [literal.slice(0, at), literal.slice(at + 1)]
  })
  write(secretsFile, { ...readSecrets(), [positionals[2]!]: Object.fromEntries(entries) as object })
}

/** `deploy/NAME -- COMMAND …` runs in the first pod. */
function exec([target, , ...args]: readonly string[]): void {
  const [pod] = podsOf(target!.replace('deploy/', ''))
  if (pod === undefined) throw new Error(`${target} has no pod`)
  process.stdout.write(`${podman('exec', containerOf(pod), ...args)}\n`)
}

function render(args: readonly string[]): Revision {
  const known = args.filter((arg) => !['--wait', '--reuse-values'].includes(arg))
  return {
    args: known,
    yaml: execFileSync(helm(), ['template', '--kube-version', kubernetesVersion, ...known], {
      encoding: 'utf8',
    }),
  }
}

/** With `--reuse-values` the values of the last revision come first. */
function upgradeArgs(args: readonly string[]): readonly string[] {
  return args.includes('--reuse-values') ? [...readRevisions().at(-1)!.args, ...args.slice(2)] : args
}

async function rollBack(): Promise<void> {
  const revision = readRevisions().at(-2)
  if (revision === undefined) throw new Error('no revision to roll back to')
  const { deployments } = readManifest(revision.yaml)
  await replaceAll(deployments)
  write(revisionsFile, [...readRevisions(), revision])
}

async function apply(revision: Revision): Promise<void> {
  const { jobs, deployments, others } = readManifest(revision.yaml)
  for (const job of jobs) runJob(toPod(job, job.metadata.name, readSecrets()))
  await replaceAll(deployments)
  write(revisionsFile, [...readRevisions(), revision])
  process.stdout.write(`applied; not run here: ${others.join(', ')}\n`)
}

function runJob(pod: Pod): void {
  podman('pod', 'rm', '--force', '--ignore', pod.metadata.name)
  start(pod)
  const code = podman('wait', containerOf(pod.metadata.name))
  const log = podman('logs', containerOf(pod.metadata.name))
  if (code !== '0')
    throw new Error(`the Job ${pod.metadata.name} failed with ${code}; nothing else was changed\n${log}`)
  podman('pod', 'rm', '--force', pod.metadata.name)
}

/** Replaces the pods of all Deployments at the same time, as their controllers do. */
async function replaceAll(deployments: Rendered['deployments']): Promise<void> {
  await Promise.all(deployments.map(replacePods))
}

/** Names of pods alternate between two sets, so that a new one can start next to an old one. */
async function replacePods(deployment: Rendered['deployments'][number]): Promise<void> {
  const { name } = deployment.metadata
  const { replicas = 1, template } = deployment.spec
  const old = podsOf(name)
  const set = old.some((pod) => pod.endsWith('-a')) ? 'b' : 'a'
  for (let at = 0; at < Math.max(replicas, old.length); at += 1) {
    if (at < replicas) {
      const pod = toPod(deployment, `${name}-${at + 1}-${set}`, readSecrets())
      start(pod)
      await untilReady(pod.metadata.name)
    }
    const leaving = old[at]
    if (leaving === undefined) continue
    // `pod stop` would take the network away while the process still drains.
    podman('stop', '--time', String(template.spec.terminationGracePeriodSeconds), containerOf(leaving))
    podman('pod', 'rm', '--force', leaving)
  }
}

function start(pod: Pod): void {
  const address = addressOf(pod.metadata.name)
  const networkOptions = ['--network', network(), ...(address === undefined ? [] : ['--ip', address])]
  podmanWith(JSON.stringify({ apiVersion: 'v1', ...pod }), 'kube', 'play', ...networkOptions, '-')
}

async function untilReady(pod: string): Promise<void> {
  const isReady = async (): Promise<boolean> => {
    const response = await fetch(`http://${addressOf(pod)}:9090/readyz`).catch(() => undefined)
    return response?.ok === true
  }
  if (!(await waitForCondition(600_000, isReady)))
    throw new Error(`${pod} is not ready after 600 s:\n${podman('logs', containerOf(pod))}`)
}

function podsOf(deployment: string): readonly string[] {
  const names = podman('pod', 'ps', '--format', '{{.Name}}').split('\n')
  return names.filter((name) => new RegExp(`^${deployment}-\\d+-[ab]$`).test(name)).toSorted()
}

function containerOf(pod: string): string {
  const names = podman('ps', '--all', '--filter', `pod=${pod}`, '--format', '{{.Names}}').split('\n')
  return names.find((name) => !name.endsWith('-infra'))!
}

function readSecrets(): Secrets {
  return existsSync(secretsFile) ? (JSON.parse(readFileSync(secretsFile, 'utf8')) as Secrets) : {}
}

function readRevisions(): readonly Revision[] {
  return existsSync(revisionsFile) ? (JSON.parse(readFileSync(revisionsFile, 'utf8')) as Revision[]) : []
}

function write(file: string, content: unknown): void {
  writeFileSync(file, JSON.stringify(content), { mode: 0o600 })
}
