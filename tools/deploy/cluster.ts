/**
 * Installs, upgrades, rolls back and removes the chart on a real API server. After each step every object
 * equals a fresh creation of the rendered chart, the migrations run before the processes change, a failed
 * migration changes nothing, and Pod Security `restricted` admits every pod.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../engines/paths.ts'
import { print } from '../engines/print.ts'
import { ApiServer } from './api-server.ts'
import { variants } from './chart.ts'
import { ClusterObjects, splitDocuments, type KubernetesObject } from './cluster-objects.ts'
import { mustAdmitPods, mustFitTogether } from './cluster-pods.ts'
import { readCustomResourceDefinitions } from './custom-resources.ts'
import { ChartRelease } from './release.ts'

const namespace = 'postern'
/** A namespace with the same rules and no objects: dry runs there show a fresh installation. */
const emptyNamespace = 'fresh'
const installed = variants.operators!
/**
 * Another image, an Ingress, an autoscaler for the API, a volume instead of an empty folder, and rules for
 * outgoing connections.
 */
const upgraded = variants.everything!

export async function checkCluster(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-cluster-'))
  const server = await ApiServer.start(folder)
  try {
    const objects = new ClusterObjects(server)
    const release = new ChartRelease(objects, namespace, server.kubeconfig)
    await prepare(objects)
    const counts = await runRelease(objects, release)
    rmSync(folder, { recursive: true, force: true })
    return `${counts.join(' and ')} objects; installed, upgraded, rolled back, removed`
  } catch (error) {
    throw new Error(`${(error as Error).message}\nSee the logs of the server in ${folder}`, { cause: error })
  } finally {
    await server.stop()
  }
}

/** Creates namespaces with Pod Security, the kinds of the operators and the examples for them. */
async function prepare(objects: ClusterObjects): Promise<void> {
  for (const name of [namespace, emptyNamespace]) {
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
    await objects.create('', { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } })
    // A controller creates this account in a real cluster.
    await objects.create(name, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } })
  }
  for (const definition of readCustomResourceDefinitions()) await objects.create('', definition)
  for (const file of ['rabbitmq-cluster.yaml', 'rabbitmq-monitor.yaml', 'cloudnative-pg.yaml']) {
    const example = readFileSync(join(projectRoot, 'deploy/helm/examples', file), 'utf8')
    const wrong = await objects.refusal(namespace, example.replace(/^spec:$/m, 'spec:\n  storrage: {}'))
    if (!wrong.includes('storrage'))
      throw new Error(`${file} must be rejected for its misspelt field: ${wrong}`)
    await objects.create(namespace, example)
  }
  print('cluster: the examples of both operators are accepted, and rejected with a misspelt field')
}

/** Returns the number of objects of the release after its installation and after its upgrade. */
async function runRelease(objects: ClusterObjects, release: ChartRelease): Promise<readonly number[]> {
  const worker = deployment('worker')
  await release.apply('install', installed, 'Complete', async () => {
    if ((await objects.read(namespace, worker)) !== undefined)
      throw new Error('workers exist before the migrations of the installation have ended')
  })
  const first = await mustBeAsRendered(objects, release)
  await mustAdmitPods(objects, namespace, await release.run('get hooks'), first)
  mustFitTogether(first)
  print('cluster: installed; Pod Security "restricted" admits its pods')

  // Acts as the autoscaler.
  await objects.patch(namespace, worker, 'scale', { spec: { replicas: 5 } })
  const before = await objects.read(namespace, worker)
  const failed = release.apply('upgrade', upgraded, 'Failed', () => Promise.resolve())
  await mustFail(failed, 'pre-upgrade hooks failed')
  mustEqual(await objects.read(namespace, worker), before, 'workers after a failed migration')

  await release.apply('upgrade', upgraded, 'Complete', async () => {
    mustEqual(await objects.read(namespace, worker), before, 'workers during the migration')
  })
  const second = await mustBeAsRendered(objects, release)
  await mustAdmitPods(objects, namespace, await release.run('get hooks'), second)
  mustFitTogether(second)
  await mustHaveReplicas(objects, worker, 5)
  print("cluster: upgraded; the autoscaler's number of workers is kept")

  await release.run('rollback', '1')
  await mustBeAsRendered(objects, release)
  await mustHaveReplicas(objects, worker, 5)
  for (const object of second.filter(({ kind }) => !first.some((other) => other.kind === kind)))
    await mustBeGone(objects, object)
  await release.run('uninstall')
  for (const object of second) await mustBeGone(objects, object)
  return [first.length, second.length]
}

/**
 * Returns the live objects of the release after comparing each with a fresh creation of the rendered chart.
 */
async function mustBeAsRendered(
  objects: ClusterObjects,
  release: ChartRelease,
): Promise<readonly KubernetesObject[]> {
  const live: KubernetesObject[] = []
  for (const document of splitDocuments(await release.run('get manifest'))) {
    const fresh = await objects.create(emptyNamespace, document, true)
    const found = await objects.read(namespace, fresh)
    if (found === undefined) throw new Error(`${fresh.kind} ${fresh.metadata.name} is missing`)
    mustEqual(comparable(found), comparable(fresh), `${fresh.kind} ${fresh.metadata.name}`)
    live.push(found)
  }
  return live
}

/** Removes values that the server or an autoscaler chooses for each object. */
function comparable({ metadata: { labels }, spec = {} }: KubernetesObject): unknown {
  const chosen = ['clusterIP', 'clusterIPs', 'replicas']
  return { labels, spec: Object.entries(spec).filter(([name]) => !chosen.includes(name)) }
}

function deployment(role: string): KubernetesObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: `postern-${role}` } }
}

async function mustHaveReplicas(
  objects: ClusterObjects,
  object: KubernetesObject,
  expected: number,
): Promise<void> {
  const replicas = (await objects.read(namespace, object))?.spec?.replicas
  if (replicas !== expected)
    throw new Error(`${object.metadata.name}: expected ${expected} replicas, got ${String(replicas)}`)
}

async function mustBeGone(objects: ClusterObjects, object: KubernetesObject): Promise<void> {
  if ((await objects.read(namespace, object)) !== undefined)
    throw new Error(`${object.kind} ${object.metadata.name} was not deleted`)
}

async function mustFail(outcome: Promise<unknown>, reason: string): Promise<void> {
  const error = await outcome.then(
    () => undefined,
    (failure: unknown) => failure as Error,
  )
  if (error?.message.includes(reason) !== true)
    throw new Error(`expected failure "${reason}", got: ${error?.message ?? 'success'}`)
}

function mustEqual(actual: unknown, expected: unknown, what: string): void {
  const [is, must] = [JSON.stringify(actual, null, 1), JSON.stringify(expected, null, 1)]
  if (is === must) return
  const line = must.split('\n').findIndex((text, at) => text !== is.split('\n')[at])
  const near = (text: string): string =>
    text
      .split('\n')
      .slice(line - 3, line + 4)
      .join('\n')
  throw new Error(`${what} differs:\n${near(is)}\ninstead of\n${near(must)}`)
}
