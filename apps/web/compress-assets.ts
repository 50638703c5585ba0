import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TEXT = /\.(js|css|svg)$/;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Puts a .br and a .gz beside each text file of a folder, which the server sends in its place. */
export async function compressAssets(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => TEXT.test(name));
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const bytes = await readFile(path);
      // Once a build, so as small as it gets.
      const brotli = toBrotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } });
      await Promise.all([
        writeFile(`${path}.br`, await brotli),
        writeFile(`${path}.gz`, await toGzip(bytes, { level: constants.Z_BEST_COMPRESSION })),
      ]);
    }),
  );
}
