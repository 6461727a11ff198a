import { spawn } from 'node:child_process'

/** Its last words end after it: what it started has them open for a moment longer. */
spawn('sleep', ['0.5'], { stdio: ['ignore', 'ignore', 'inherit'], env: { PATH: '/usr/bin:/bin' } })
process.on('message', () => process.send?.('started'))
