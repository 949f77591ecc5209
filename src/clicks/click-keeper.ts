/** Where clicks are that are not new: Parquet files beside SQLite, ClickHouse beside PostgreSQL. One call at a time. */
export type ClickKeeper = {
  /** Moves clicks from the table when they are many, and keeps those that were moved. */
  run(): Promise<void>
  forgetWorkspaces(workspaceIds: readonly number[]): Promise<void>
  close(): Promise<void>
}
