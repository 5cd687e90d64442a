/**
 * Runs the scenario on Node, Deno and Bun. The first argument is the settings as JSON. Prints a line for each
 * check.
 */
import { runScenario, type ScenarioSettings } from './scenario.ts'

// CommonJS has no top-level await.
void runScenario(JSON.parse(process.argv[2]!) as ScenarioSettings).then((lines) =>
  console.log(lines.join('\n')),
)
