-- The domain of BASE_URL, which is never verified, says whether its codes are folded. On SQLite, only the process that serves changes that.
CREATE TRIGGER base_domain_changed AFTER UPDATE ON domains FOR EACH ROW
  WHEN (new.id = 0 AND old.case_insensitive IS DISTINCT FROM new.case_insensitive)
  EXECUTE FUNCTION note_block_change();
