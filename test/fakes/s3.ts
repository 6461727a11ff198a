import { randomUUID } from 'node:crypto'
import { S3Blobs } from '../../src/ingest/store/blobs/s3-blobs.ts'
import { S3Client, type S3Place } from '../../src/ingest/store/blobs/s3-client.ts'

/** The S3 store of the tests: `PASSIM_TEST_S3=http://ID:SECRET@127.0.0.1:28700/BUCKET`, the bucket made where there is none. */
const given = process.env.PASSIM_TEST_S3

/** Of tests that need it: what they are skipped for. */
export const NEEDS_S3 = 'needs PASSIM_TEST_S3'

export const s3Place: S3Place | undefined = given ? placeOf(new URL(given)) : undefined

function placeOf({ protocol, host, username, password, pathname }: URL): S3Place {
  return {
    url: `${protocol}//${host}`,
    bucket: pathname.slice(1),
    region: 'us-east-1',
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
  }
}

/** A prefix of its own in the bucket. */
export class TestBucket {
  readonly place: S3Place
  readonly prefix = `test-${randomUUID()}/`
  readonly client: S3Client
  readonly blobs: S3Blobs

  constructor(place: S3Place) {
    this.place = place
    this.client = new S3Client(place)
    this.blobs = new S3Blobs(this.client, this.prefix)
  }

  /** As a user sets it. */
  get settings() {
    return { ...this.place, prefix: this.prefix }
  }

  /** Made where there is none. */
  async make(): Promise<void> {
    const made = await this.client.send({ method: 'PUT', expected: [409] })
    made.resume()
  }

  /** Everything in it. */
  async remove(): Promise<void> {
    const keys: string[] = []
    for await (const { key } of this.blobs.list('')) keys.push(key)
    await this.blobs.remove(keys)
    this.client.close()
  }
}
