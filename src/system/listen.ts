import type { Server } from 'node:http'
import { say } from '../errors/said.ts'
import { AppError } from '../errors.ts'

/** Throws `conflict` if it cannot listen, as if another program uses the port. */
export async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(port, host, resolve),
    )
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = say`Cannot listen on ${host}, port ${port}: ${reason}.`
    const advice = 'Choose another port with --port.'
    throw new AppError('conflict', message, { cause: error, advice })
  }
}
