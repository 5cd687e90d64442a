/** The scenario as a program of Node, Deno and Bun: settings as JSON in the first argument, a line for each check. */
import { runScenario, type ScenarioSettings } from './scenario.ts'

const lines = await runScenario(JSON.parse(process.argv[2]!) as ScenarioSettings)
console.log(lines.join('\n'))
