// Where measured cost tables are kept: one JSON file beside the settings, a table for each backend of each version, written
// whole. What cannot be read or belongs to another computer is left aside with a note; the shipped table then holds.

import { mkdir, readFile, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import {
  backendNames,
  type CostTable,
  type CostTables,
  costKinds,
  costTableSchema,
  costVersion,
} from '../../core/costs';
import type { BackendStatus } from '../../core/ipc';
import { scaledCurves } from '../../core/scaledCosts';
import { shippedCosts, shippedThreads } from '../../core/shippedCosts';
import { writeAtomically } from '../atomicWrite';
import { threadsOf } from './stopwatch';

const fileName = 'costs.json';
const maximumFileBytes = 4e6;
/** Tables that are kept: those of devices and versions that are used in turn. */
const maximumTables = 12;

const storedSchema = z.object({ version: z.literal(1), tables: z.array(z.unknown()).max(100) });

const olderSchema = z.object({ version: z.number().lt(costVersion) });

/** Set to `shipped`, plans follow the shipped tables and nothing is measured unasked: the same plans on every computer. */
const variable = 'CONVOLVE_COSTS';
export const areCostsFixed = (environment: NodeJS.ProcessEnv = process.env): boolean =>
  environment[variable] === 'shipped';

/** The user's folder for this program, the same that Electron takes. */
export function settingsFolder(
  platform: NodeJS.Platform = process.platform,
  environment: NodeJS.ProcessEnv = process.env,
  home: string = os.homedir(),
): string {
  if (platform === 'win32') return path.join(environment.APPDATA ?? path.join(home, 'AppData', 'Roaming'), 'convolve');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'convolve');
  const folder = environment.XDG_CONFIG_HOME;
  return path.join(folder && path.isAbsolute(folder) ? folder : path.join(home, '.config'), 'convolve');
}

export const costsFile = (folder: string): string => path.join(folder, fileName);

interface Stored {
  readonly tables: readonly CostTable[];
  /** Why the file, or a part of it, does not count; null where all of it does. */
  readonly note: string | null;
}

async function readStored(file: string): Promise<Stored> {
  const status = await stat(file).catch(() => null);
  if (status === null) return { tables: [], note: null };
  try {
    if (!status.isFile() || status.size > maximumFileBytes) throw new Error('not a file of costs');
    const stored = storedSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    // Tables of an older form are no fault of anybody's: the quiet calibration measures anew.
    const tables = stored.tables.filter((table) => !olderSchema.safeParse(table).success);
    const parsed = tables.map((table) => costTableSchema.safeParse(table));
    const good = parsed.flatMap((result) => (result.success ? [result.data] : []));
    const note = good.length === tables.length ? null : `${file} holds measured costs that cannot be read`;
    return { tables: good, note };
  } catch {
    return { tables: [], note: `${file} holds no measured costs that can be read` };
  }
}

export interface LoadedCosts {
  readonly tables: CostTables;
  /** For people: what was found and not used. */
  readonly notes: readonly string[];
}

/** A table is used only on the engine that it was measured on: same backend, same description, same version. */
function fits(table: CostTable, status: BackendStatus, version: string): boolean {
  return table.backend === status.name && table.description === status.description && table.engine === version;
}

/** The shipped table; that of the cpu for the threads there are, among which they share the work evenly. */
function shippedFor(name: CostTable['backend'], status: BackendStatus | undefined): CostTable {
  const table = shippedCosts[name];
  const threads = name === 'cpu' && status?.available ? threadsOf(status.description) : shippedThreads;
  if (threads === shippedThreads) return table;
  const curves = costKinds.map(
    (kind) => [kind, scaledCurves(table.curves[kind], () => shippedThreads / threads)] as const,
  );
  return { ...table, curves: Object.fromEntries(curves) as CostTable['curves'] };
}

/** The tables to plan by: the measured ones where they fit, else the shipped ones. Never rejects. */
export async function loadCosts(
  file: string,
  backends: readonly BackendStatus[],
  version: string,
): Promise<LoadedCosts> {
  const { tables, note } = await readStored(file);
  const notes = note === null ? [] : [`${note}; the shipped ones are used`];
  const chosen = backendNames.map((name) => {
    const status = backends.find((backend) => backend.name === name);
    const measured = status && tables.find((table) => fits(table, status, version));
    if (measured) return measured;
    if (status?.available && tables.some(({ backend }) => backend === name))
      notes.push(`the measured costs of ${name} are of another computer, device or version; the shipped ones are used`);
    return shippedFor(name, status);
  });
  return {
    tables: Object.fromEntries(chosen.map((table) => [table.backend, table])) as Record<
      CostTable['backend'],
      CostTable
    >,
    notes,
  };
}

/** What a table is kept under. */
type Measured = Pick<CostTable, 'backend' | 'description' | 'engine'>;

const isSameEngine = (a: Measured, b: Measured) =>
  a.backend === b.backend && a.description === b.description && a.engine === b.engine;

/** True where a table of this engine is kept, however it was measured. */
export async function hasCosts(file: string, engine: Measured): Promise<boolean> {
  const { tables } = await readStored(file);
  return tables.some((table) => isSameEngine(table, engine));
}

/** Puts a table in the place of the one of the same engine. Throws targetUnwritable, targetFull or targetFolderMissing. */
export async function storeCosts(file: string, table: CostTable): Promise<void> {
  const { tables } = await readStored(file);
  const others = tables.filter((other) => !isSameEngine(other, table));
  const stored = { version: 1, tables: [table, ...others].slice(0, maximumTables) };
  // A folder that cannot be made is missing when the file is written, and that failure names it.
  await mkdir(path.dirname(file), { recursive: true }).catch(() => undefined);
  await writeAtomically(file, [Buffer.from(`${JSON.stringify(stored)}\n`)]);
}
