import { execFile, spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClientDocument } from '../../../../src/edge/api/reference/client-document.ts'
import { goProgram } from '../../../support/processes/go-program.ts'
import { downloadJars } from '../../../../../tools/engines/install/maven.ts'
import { servicesDirectory } from '../../../../../tools/engines/paths.ts'
import { javaArchives, javaGenerator } from './java-archives.ts'
import { versions } from './versions.ts'

const run = promisify(execFile)

export interface ClientProgram {
  readonly command: readonly [program: string, ...args: string[]]
  readonly environment?: Readonly<Record<string, string>>
}

/**
 * Generates a client from the client document in `folder` and compiles it with the test program of the language. Tools
 * are downloaded to the services directory on first use.
 */
type ClientBuild = (folder: string) => Promise<ClientProgram>

export const clientBuilds: Readonly<Record<string, ClientBuild>> = { python, go, java }

async function execute(cwd: string, program: string, ...args: readonly string[]): Promise<string> {
  try {
    return (await run(program, args, { cwd, timeout: 900_000, maxBuffer: 50_000_000 })).stdout
  } catch (error) {
    const {
      stdout = '',
      stderr = '',
      message,
    } = error as { stdout?: string; stderr?: string; message: string }
    throw new Error(`${message.slice(0, 300)}\n${(stdout + stderr).slice(-3_000)}`, { cause: error })
  }
}

function writeDocument(folder: string): string {
  const file = join(folder, 'openapi.client.json')
  writeFileSync(file, JSON.stringify(createClientDocument()))
  return file
}

async function python(folder: string): Promise<ClientProgram> {
  const packages = (['openapi-python-client', 'standardwebhooks'] as const).map(
    (name) => `${name}==${versions[name]}`,
  )
  const tools = join(servicesDirectory(), 'clients', packages.join('-'))
  const program = (name: string) => join(tools, 'bin', name)
  if (!existsSync(join(tools, 'complete'))) {
    await execute(folder, 'python3', '-m', 'venv', tools)
    await execute(folder, program('pip'), 'install', '-q', ...packages)
    writeFileSync(join(tools, 'complete'), '')
  }
  // By default the generator runs a formatter that it does not install, and creates a class for every enum.
  const settings = join(folder, 'settings.yml')
  writeFileSync(settings, 'post_hooks: []\nliteral_enums: true\n')
  const output = join(folder, 'postern')
  const options = [
    '--path',
    writeDocument(folder),
    '--output-path',
    output,
    '--meta',
    'none',
    '--config',
    settings,
  ]
  const printed = await execute(folder, program('openapi-python-client'), 'generate', ...options)
  // The generator skips unsupported schemas with a warning.
  if (/warning/i.test(printed)) throw new Error(printed.slice(0, 2_000))
  await execute(folder, program('python'), '-m', 'compileall', '-q', '.')
  return {
    command: [program('python'), join(import.meta.dirname, 'python/main.py')],
    environment: { PYTHONPATH: folder },
  }
}

async function go(folder: string): Promise<ClientProgram> {
  const generator = goProgram(
    'oapi-codegen',
    'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen',
    versions['oapi-codegen'],
  )
  mkdirSync(join(folder, 'postern'))
  writeFileSync(join(folder, 'go.mod'), 'module example.com/generated\n\ngo 1.24\n')
  const options = [
    '-package',
    'postern',
    '-generate',
    'types,client',
    '-o',
    'postern/client.go',
    writeDocument(folder),
  ]
  await execute(folder, generator, ...options)
  cpSync(join(import.meta.dirname, 'go'), folder, { recursive: true })
  await execute(folder, 'go', 'mod', 'tidy')
  await execute(folder, 'go', 'vet', './...')
  await execute(folder, 'go', 'build', '-o', 'program', '.')
  return { command: [join(folder, 'program')] }
}

async function java(folder: string): Promise<ClientProgram> {
  if (spawnSync('javac', ['-version']).status !== 0)
    throw new Error('The Java client requires JDK 11 or newer: apt-get install default-jdk-headless')
  const tools = join(servicesDirectory(), 'clients', `openapi-generator-${versions['openapi-generator-cli']}`)
  const generator = join(tools, 'generator')
  const archives = join(tools, 'libraries')
  if (!existsSync(generator)) await downloadJars([javaGenerator], generator, 120_000)
  if (!existsSync(archives)) await downloadJars(javaArchives, archives)
  const packages = 'invokerPackage=postern,apiPackage=postern.api,modelPackage=postern.model'
  // `native` uses the HTTP client of the JDK, so only Jackson, annotations and httpmime (for uploads) are needed. Unset
  // containers must be null: the gateway rejects a request with both `body` and `content`, even if one is empty.
  const forms = 'useJakartaEe=true,openApiNullable=false,containerDefaultToNull=true'
  const properties = `${packages},${forms},hideGenerationTimestamp=true`
  const options = ['-g', 'java', '--library', 'native', '--additional-properties', properties]
  // Generate no documentation and no empty tests.
  const parts = 'apis,models,supportingFiles,apiTests=false,modelTests=false,apiDocs=false,modelDocs=false'
  const program = join(generator, javaGenerator[0].split('/').at(-1)!)
  const output = ['-i', writeDocument(folder), '-o', folder, `--global-property=${parts}`]
  await execute(folder, 'java', '-jar', program, 'generate', ...options, ...output)
  const sources = globSync('src/main/java/**/*.java', { cwd: folder })
  const programs = globSync(join(import.meta.dirname, 'java/*.java'))
  const paths = ['-cp', join(archives, '*'), '-d', 'classes']
  await execute(folder, 'javac', '-proc:none', ...paths, ...programs, ...sources)
  return { command: ['java', '-cp', `${join(folder, 'classes')}:${join(archives, '*')}`, 'Main'] }
}
