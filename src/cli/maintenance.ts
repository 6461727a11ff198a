import type { Command } from 'commander'
import { type AddCommand, allOptions, example } from './command.ts'
import { EXIT, type GlobalOptions, Output } from './output.ts'
import { withExisting, withPassim } from './session.ts'

export const addVerify: AddCommand = program => {
  program
    .command('verify')
    .description('check catalog, files and index against each other')
    .option('--repair', 'build again what can be built from what is stored')
    .addHelpText('after', example('passim verify', 'passim verify --repair'))
    .action(async (_options, command: Command) => verify(allOptions<{ readonly repair?: boolean }>(command)))
}

export const addDoctor: AddCommand = program => {
  program
    .command('doctor')
    .description('show what works on this machine')
    .addHelpText('after', example('passim doctor'))
    .action(async (_options, command: Command) => doctor(allOptions(command)))
}

async function verify(options: GlobalOptions & { readonly repair?: boolean }): Promise<void> {
  const found = await withExisting(options, (passim, signal) =>
    options.repair ? passim.verify.repair(signal) : passim.verify.run(signal),
  )
  new Output(options).result(found, () =>
    found.ok
      ? `Sound. Root hash ${found.rootHash}`
      : [...found.problems.map(problem => problem.message), 'passim verify --repair mends what can be mended.'].join(
          '\n',
        ),
  )
  process.exitCode = found.ok ? EXIT.done : EXIT.failed
}

async function doctor(options: GlobalOptions): Promise<void> {
  const report = await withPassim(options, passim => passim.doctor())
  const hosts = report.hosts.join(', ') || 'none: nothing leaves this machine'
  new Output(options).result(report, () =>
    [
      `passim ${report.version} on Node ${report.node}, ${report.platform}, ${report.cores} cores`,
      `store ${report.home} (format ${report.storeFormat}), ${Math.round(report.freeBytes / 2 ** 20)} MiB free`,
      `formats ${report.parsers.map(id => id.split('@')[0]).join(', ')}`,
      `embedders ${report.embedders.join(', ')}`,
      `hosts that may be contacted: ${hosts}`,
      ...report.checks.map(
        check => `${check.ok ? 'ok  ' : 'FAIL'} ${check.name}: ${check.error?.message ?? check.detail}`,
      ),
    ].join('\n'),
  )
  process.exitCode = report.ok ? EXIT.done : EXIT.unable
}
