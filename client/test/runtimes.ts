/** The runtimes in which the scenario runs, also as CommonJS, and the program of the README. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { servicesDirectory } from '../../tools/engines/paths.ts'
import { runReadme } from './readme.ts'
import type { ScenarioSettings } from './scenario.ts'

const run = promisify(execFile)

/** Runs the package and the compiled scenario in `folder`. Returns the output. */
type Runtime = (folder: string, settings: ScenarioSettings) => Promise<string>

const architecture = process.arch === 'arm64' ? 'arm64' : 'x64'
const bunPackage = `@oven/bun-linux-${process.arch === 'arm64' ? 'aarch64' : 'x64'}`

const versions: Readonly<Record<string, string>> = {
  deno: '2.9.6',
  [bunPackage]: '1.4.4',
  miniflare: '4.20260730.0',
  // The oldest version allowed by `engines` of the package.
  [`node-linux-${architecture}`]: '20.3.0',
}

export const runtimes = {
  node: (folder, settings) => start(process.execPath, [], folder, settings),
  node20: async (folder, settings) => start(await node20(), [], folder, settings),
  commonjs: async (folder, settings) => start(await node20(), [], join(folder, 'commonjs'), settings),
  deno: async (folder, settings) =>
    start(
      join(await installPackage('deno'), '../.bin/deno'),
      ['run', '--allow-net', '--allow-env'],
      folder,
      settings,
    ),
  bun: async (folder, settings) =>
    start(join(await installPackage(bunPackage), 'bin/bun'), ['run'], folder, settings),
  edge,
  readme: (folder, settings) => runReadme(folder, settings),
} as const satisfies Readonly<Record<string, Runtime>>

export type RuntimeName = keyof typeof runtimes

async function node20(): Promise<string> {
  return join(await installPackage(`node-linux-${architecture}`), 'bin/node')
}

async function start(
  program: string,
  args: readonly string[],
  folder: string,
  settings: ScenarioSettings,
): Promise<string> {
  const scenario = join(folder, 'test/start-process.js')
  const { stdout } = await run(program, [...args, scenario, JSON.stringify(settings)], { timeout: 120_000 })
  return stdout
}

interface Miniflare {
  dispatchFetch(url: string, init: object): Promise<{ text(): Promise<string> }>
  dispose(): Promise<void>
}

/** Runs the scenario in workerd, the runtime of Cloudflare Workers. */
async function edge(folder: string, settings: ScenarioSettings): Promise<string> {
  const { Miniflare: create } = createRequire(import.meta.url)(await installPackage('miniflare')) as {
    Miniflare: new (options: object) => Miniflare
  }
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(test|node_modules\/@postern\/client\/dist\/(?!cjs)).*\.js$/.test(file),
  )
  // Miniflare starts the first module.
  const entry = 'test/start-worker.js'
  const modules = [entry, ...files.filter((file) => file !== entry && file !== 'test/start-process.js')]
  const miniflare = new create({
    modulesRoot: folder,
    modules: modules.map((file) => ({
      type: 'ESModule',
      path: join(folder, file),
      contents: readFileSync(join(folder, file), 'utf8'),
    })),
    compatibilityDate: '2026-07-01',
  })
  try {
    const body = JSON.stringify(settings)
    const response = await miniflare.dispatchFetch('http://scenario.example/', { method: 'POST', body })
    return await response.text()
  } finally {
    await miniflare.dispose()
  }
}

/** Returns the folder of an npm package, installing it on first use into the services directory. */
async function installPackage(name: string): Promise<string> {
  const version = versions[name]!
  const home = join(servicesDirectory(), 'clients', `${name.replaceAll('/', '+')}-${version}`)
  const folder = join(home, 'node_modules', name)
  if (existsSync(join(home, 'complete'))) return folder
  process.stderr.write(`installing ${name} ${version} from npm, once\n`)
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{ "private": true }\n')
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--force']
  await run('npm', ['install', ...options, `${name}@${version}`], { cwd: home })
  writeFileSync(join(home, 'complete'), '')
  return folder
}
