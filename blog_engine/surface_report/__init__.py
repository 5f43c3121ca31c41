"""The surface report: public pages compared with what the database recorded."""
